/* Files: what they hold and whether an operation succeeds comes from outside. Negative results are numbers of errors. */
static int __gordian_outside_fopen(const char *path, const char *mode) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_fdopen(int descriptor, const char *mode) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_tmpfile(void) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_fseek(int stream, long offset, int from) { return __VERIFIER_nondet_int(); }
static long __gordian_outside_ftell(int stream) { return __VERIFIER_nondet_long(); }
static int __gordian_outside_fileno(int stream) { return __VERIFIER_nondet_int(); }
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
void __gordian_ask_fstat(long long descriptor, void *status) {}
void __gordian_ask_fstat64(long long descriptor, void *status) {}
void __gordian_tell_rewind(int stream) {}

extern void *__gordian_library_memory(unsigned long size);

static long __gordian_result(long result)
{
    if (result >= 0)
        return result;
    *__errno_location() = result > -134 ? (int)-result : 5;
    return -1;
}

/* 0, or -1 and an error. */
static int __gordian_status(int result) { return __gordian_result(result < 0 ? result : 0) < 0 ? -1 : 0; }

static void __gordian_read_text(const char *text) { __gordian_read_string(text, (unsigned long)-1); }

/* Null, or a new stream with this number. */
static void *__gordian_new_stream(int number)
{
    if (number < 3) {
        __gordian_result(number < 0 ? number : -2);
        return 0;
    }
    struct __gordian_stream *stream = (struct __gordian_stream *)((char *)__gordian_library_memory(32) + 16);
    stream->number = number;
    return stream;
}

static long __gordian_outside_getcwd(unsigned long size) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_gethostname(unsigned long size) { return __VERIFIER_nondet_long(); }

/* A text of fewer than so many bytes from outside. */
static int __gordian_fitting_text(char *target, unsigned long size, long length)
{
    if (__gordian_result(length) < 0)
        return -1;
    if ((unsigned long)length >= size) {
        *__errno_location() = 34;
        return -1;
    }
    __gordian_take_bytes(target, length);
    target[length] = 0;
    return 0;
}

char *getcwd(char *target, unsigned long size)
{
    if (target == 0)
        __gordian_unsupported("`getcwd` that allocates");
    return __gordian_fitting_text(target, size, __gordian_outside_getcwd(size)) == 0 ? target : 0;
}

int gethostname(char *target, unsigned long size)
{
    return __gordian_fitting_text(target, size, __gordian_outside_gethostname(size));
}

void *fopen(const char *path, const char *mode)
{
    __gordian_read_text(path);
    __gordian_read_text(mode);
    return __gordian_new_stream(__gordian_outside_fopen(path, mode));
}

void *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

void *fdopen(int descriptor, const char *mode)
{
    __gordian_read_text(mode);
    return __gordian_new_stream(__gordian_outside_fdopen(descriptor, mode));
}

void *tmpfile(void) { return __gordian_new_stream(__gordian_outside_tmpfile()); }
int fseek(struct __gordian_stream *stream, long offset, int from) { return __gordian_status(__gordian_outside_fseek(stream->number, offset, from)); }
int fseeko(struct __gordian_stream *stream, long offset, int from) { return __gordian_status(__gordian_outside_fseek(stream->number, offset, from)); }
long ftell(struct __gordian_stream *stream) { return __gordian_result(__gordian_outside_ftell(stream->number)); }
long ftello(struct __gordian_stream *stream) { return __gordian_result(__gordian_outside_ftell(stream->number)); }
int fileno(struct __gordian_stream *stream) { return (int)__gordian_result(__gordian_outside_fileno(stream->number)); }
void rewind(struct __gordian_stream *stream) { __gordian_tell_rewind(stream->number); }

int open(const char *path, int flags, ...)
{
    int mode = 0;
    if (flags & 0100) {
        __builtin_va_list list;
        __builtin_va_start(list, flags);
        mode = __builtin_va_arg(list, int);
        __builtin_va_end(list);
    }
    __gordian_read_text(path);
    return (int)__gordian_result(__gordian_outside_open(path, flags, mode));
}

int close(int descriptor) { return __gordian_status(__gordian_outside_close(descriptor)); }

long read(int descriptor, void *target, unsigned long size)
{
    long length = __gordian_result(__gordian_outside_read(descriptor, size));
    if (length > 0 && (unsigned long)length > size)
        length = (long)size;
    __gordian_take_bytes(target, length);
    return length;
}

long write(int descriptor, const void *bytes, unsigned long size)
{
    __gordian_read_bytes(bytes, size);
    long length = __gordian_result(__gordian_outside_write(descriptor, bytes, size));
    if (length > 0 && (unsigned long)length > size)
        length = (long)size;
    return length;
}

long lseek(int descriptor, long offset, int from) { return __gordian_result(__gordian_outside_lseek(descriptor, offset, from)); }

int remove(const char *path)
{
    __gordian_read_text(path);
    return __gordian_status(__gordian_outside_remove(path));
}

int unlink(const char *path) { return remove(path); }

int rename(const char *from, const char *to)
{
    __gordian_read_text(from);
    __gordian_read_text(to);
    return __gordian_status(__gordian_outside_rename(from, to));
}

int access(const char *path, int mode)
{
    __gordian_read_text(path);
    return __gordian_status(__gordian_outside_access(path, mode));
}

int mkdir(const char *path, unsigned mode)
{
    __gordian_read_text(path);
    return __gordian_status(__gordian_outside_mkdir(path, (int)mode));
}
