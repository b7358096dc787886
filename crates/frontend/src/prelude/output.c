/* Output that nobody observes: to a verifier each `__gordian_tell_` function is empty; a native run writes
   (crates/native, `runtime/outside.c`). Variadic arguments lie in slots. */
void __gordian_tell_fprintf(void *stream, const char *format, void *slots) {}
void __gordian_tell_dprintf(int descriptor, const char *format, void *slots) {}
void __gordian_tell_fputs(const char *text, void *stream) {}
void __gordian_tell_fputc(int character, void *stream) {}
void __gordian_tell_fwrite(const void *bytes, unsigned long size, void *stream) {}
void __gordian_tell_fflush(void *stream) {}
void __gordian_tell_fclose(void *stream) {}
void __gordian_tell_perror(const char *text, int error) {}

unsigned long fwrite(const void *bytes, unsigned long size, unsigned long count, void *stream)
{
    __gordian_tell_fwrite(bytes, size * count, stream);
    return size == 0 ? 0 : count;
}

int fflush(void *stream)
{
    __gordian_tell_fflush(stream);
    return 0;
}

int fclose(void *stream)
{
    __gordian_tell_fclose(stream);
    return 0;
}

void perror(const char *text) { __gordian_tell_perror(text, *__errno_location()); }

extern int vsnprintf(char *buffer, unsigned long size, const char *format, __builtin_va_list list);

/* A string of its own. */
int vasprintf(char **result, const char *format, __builtin_va_list list)
{
    int length = vsnprintf(0, 0, format, list);
    if (length < 0)
        return -1;
    *result = malloc((unsigned long)length + 1);
    if (*result == 0)
        return -1;
    return vsnprintf(*result, (unsigned long)length + 1, format, list);
}

int asprintf(char **result, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = vasprintf(result, format, list);
    __builtin_va_end(list);
    return length;
}
