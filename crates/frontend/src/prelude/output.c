/* Output that nobody observes: to a verifier each `__gordian_tell_` function is empty; a native run writes
   (crates/native, `runtime/outside.c`). Variadic arguments lie in slots. */
void __gordian_tell_fprintf(int stream, const char *format, void *slots) {}
void __gordian_tell_dprintf(int descriptor, const char *format, void *slots) {}
void __gordian_tell_fputs(const char *text, int stream) {}
void __gordian_tell_fputc(int character, int stream) {}
void __gordian_tell_fwrite(const void *bytes, unsigned long size, int stream) {}
void __gordian_tell_fflush(int stream) {}
void __gordian_tell_fclose(int stream) {}
void __gordian_tell_perror(const char *text, int error) {}

/* So much has been written. */
static void __gordian_move(struct __gordian_stream *stream, unsigned long length)
{
    if (__gordian_state(stream) & __gordian_writes_in_place)
        __gordian_advance(stream, (long)length);
    else
        __gordian_lose_position(stream);
}

unsigned long fwrite(const void *bytes, unsigned long size, unsigned long count, struct __gordian_stream *stream)
{
    int number = stream->number;
    __gordian_read_bytes(bytes, size * count);
    __gordian_tell_fwrite(bytes, size * count, number);
    if (size == 0)
        return 0;
    int missing = __VERIFIER_nondet_int();
    if (missing <= 0 || (unsigned long)missing > count) {
        __gordian_move(stream, size * count);
        return count;
    }
    __gordian_stream_fails(stream);
    return count - (unsigned long)missing;
}

extern void __gordian_library_free(void *memory);
static void __gordian_end_stream(struct __gordian_stream *stream, int failed);

/* The stream is no more, whether or not all of it could be written. Those that were opened lie behind a head that only the
   library knows. */
int fclose(struct __gordian_stream *stream)
{
    int number = stream->number, failed = __VERIFIER_nondet_int() != 0;
    __gordian_tell_fclose(number);
    __gordian_end_stream(stream, failed);
    if (number > 2)
        __gordian_library_free((char *)stream - 16);
    if (failed)
        __gordian_any_error();
    return failed ? -1 : 0;
}

/* A buffer that the program gives is used by all that follows. */
static void __gordian_give_buffer(char *buffer, unsigned long size)
{
    if (buffer == 0)
        return;
    __gordian_update_bytes(buffer, size);
    if (__gordian_choice() != 0)
        __gordian_unsupported("a stream that uses a buffer of the program");
}

int setvbuf(struct __gordian_stream *stream, char *buffer, int mode, unsigned long size)
{
    int number = stream->number;
    if (mode < 0 || mode > 2)
        return -1;
    if (__gordian_choice() != 0)
        return -1;
    if (mode != 2 && size > 0)
        __gordian_give_buffer(buffer, size);
    return 0;
}

void setbuf(struct __gordian_stream *stream, char *buffer)
{
    int number = stream->number;
    __gordian_give_buffer(buffer, 8192);
}

void perror(const char *text)
{
    if (text != 0)
        __gordian_read_string(text, (unsigned long)-1);
    __gordian_tell_perror(text, *__errno_location());
    __gordian_set_state(&__gordian_streams[2], __gordian_choice() == 0 ? 0 : __gordian_in_error);
}

extern int vsnprintf(char *buffer, unsigned long size, const char *format, __builtin_va_list list);

/* A string of its own. */
int vasprintf(char **result, const char *format, __builtin_va_list list)
{
    int length = vsnprintf(0, 0, format, list);
    if (length < 0)
        return -1;
    char *text = malloc((unsigned long)length + 1), *indeterminate;
    if (text == 0) {
        *result = indeterminate;
        return -1;
    }
    *result = text;
    return vsnprintf(text, (unsigned long)length + 1, format, list);
}

int asprintf(char **result, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = vasprintf(result, format, list);
    __builtin_va_end(list);
    return length;
}
