/* Files: what they hold and whether an operation succeeds comes from outside. Negative results are numbers of errors. */
static int __gordian_outside_fopen(const char *path, const char *mode) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_fdopen(int descriptor, const char *mode) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_tmpfile(void) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_fseek(void *stream, long offset, int from) { return __VERIFIER_nondet_int(); }
static long __gordian_outside_ftell(void *stream) { return __VERIFIER_nondet_long(); }
static int __gordian_outside_fileno(void *stream) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_open(const char *path, int flags, int mode) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_close(int descriptor) { return __VERIFIER_nondet_int(); }
static long __gordian_outside_read(int descriptor, unsigned long size) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_write(int descriptor, const void *bytes, unsigned long size) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_lseek(int descriptor, long offset, int from) { return __VERIFIER_nondet_long(); }
static int __gordian_outside_remove(const char *path) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_rename(const char *from, const char *to) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_access(const char *path, int mode) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_mkdir(const char *path, int mode) { return __VERIFIER_nondet_int(); }
void __gordian_ask_stat(const char *path, void *status) {}
void __gordian_ask_stat64(const char *path, void *status) {}
void __gordian_ask_lstat(const char *path, void *status) {}
void __gordian_ask_fstat(long descriptor, void *status) {}
void __gordian_ask_fstat64(long descriptor, void *status) {}
void __gordian_tell_rewind(void *stream) {}

static long __gordian_result(long result)
{
    if (result >= 0)
        return result;
    __VERIFIER_assume(result > -4096);
    *__errno_location() = (int)-result;
    return -1;
}

static void *__gordian_stream(int stream)
{
    if (stream < 3 || stream >= 1024) {
        __gordian_result(stream);
        return 0;
    }
    return &__gordian_streams[stream];
}

static long __gordian_outside_getcwd(unsigned long size) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_gethostname(unsigned long size) { return __VERIFIER_nondet_long(); }

/* A text of fewer than so many bytes from outside. */
static int __gordian_fitting_text(char *target, unsigned long size, long length)
{
    if (__gordian_result(length) < 0)
        return -1;
    __VERIFIER_assume((unsigned long)length < size);
    __gordian_take_bytes(target, length);
    target[length] = 0;
    return 0;
}

char *getcwd(char *target, unsigned long size)
{
    return __gordian_fitting_text(target, size, __gordian_outside_getcwd(size)) == 0 ? target : 0;
}

int gethostname(char *target, unsigned long size)
{
    return __gordian_fitting_text(target, size, __gordian_outside_gethostname(size));
}

void *fopen(const char *path, const char *mode) { return __gordian_stream(__gordian_outside_fopen(path, mode)); }
void *fopen64(const char *path, const char *mode) { return __gordian_stream(__gordian_outside_fopen(path, mode)); }
void *fdopen(int descriptor, const char *mode) { return __gordian_stream(__gordian_outside_fdopen(descriptor, mode)); }
void *tmpfile(void) { return __gordian_stream(__gordian_outside_tmpfile()); }
int fseek(void *stream, long offset, int from) { return (int)__gordian_result(__gordian_outside_fseek(stream, offset, from)); }
int fseeko(void *stream, long offset, int from) { return (int)__gordian_result(__gordian_outside_fseek(stream, offset, from)); }
long ftell(void *stream) { return __gordian_result(__gordian_outside_ftell(stream)); }
long ftello(void *stream) { return __gordian_result(__gordian_outside_ftell(stream)); }
int fileno(void *stream) { return (int)__gordian_result(__gordian_outside_fileno(stream)); }
void rewind(void *stream) { __gordian_tell_rewind(stream); }

int open(const char *path, int flags, ...)
{
    int mode = 0;
    if (flags & 0100) {
        __builtin_va_list list;
        __builtin_va_start(list, flags);
        mode = __builtin_va_arg(list, int);
        __builtin_va_end(list);
    }
    return (int)__gordian_result(__gordian_outside_open(path, flags, mode));
}

int close(int descriptor) { return (int)__gordian_result(__gordian_outside_close(descriptor)); }

long read(int descriptor, void *target, unsigned long size)
{
    long length = __gordian_result(__gordian_outside_read(descriptor, size));
    if (length > 0)
        __VERIFIER_assume((unsigned long)length <= size);
    __gordian_take_bytes(target, length);
    return length;
}

long write(int descriptor, const void *bytes, unsigned long size)
{
    long length = __gordian_result(__gordian_outside_write(descriptor, bytes, size));
    if (length > 0)
        __VERIFIER_assume((unsigned long)length <= size);
    return length;
}

long lseek(int descriptor, long offset, int from) { return __gordian_result(__gordian_outside_lseek(descriptor, offset, from)); }
int remove(const char *path) { return (int)__gordian_result(__gordian_outside_remove(path)); }
int unlink(const char *path) { return (int)__gordian_result(__gordian_outside_remove(path)); }
int rename(const char *from, const char *to) { return (int)__gordian_result(__gordian_outside_rename(from, to)); }
int access(const char *path, int mode) { return (int)__gordian_result(__gordian_outside_access(path, mode)); }
int mkdir(const char *path, unsigned mode) { return (int)__gordian_result(__gordian_outside_mkdir(path, (int)mode)); }
