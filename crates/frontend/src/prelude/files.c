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

/* What is known of files, each as four times its number and one, and whether it is open or closed; otherwise anything is
   possible. A place that has been given to a number stays with it, and all look for places in the same order: every call
   changes what decides in one step, which orders nothing. Numbers from 1024 on are given where another one is taken. */
enum { __gordian_is_open = 1, __gordian_is_closed = 2 };
static int __gordian_files[8] = {4 + 1, 8 + 1, 12 + 1};
static int __gordian_further_files;
/* Streams without a known number may have any that is not known to be open. */
static int __gordian_unnumbered_files;

/* Brings a file into a state, unless it is in the one that is refused, or another thread is faster: 1 if that is done, 0 if
   not, -1 if there is no place left. */
static int __gordian_set_file(int file, int state, int refused)
{
    for (int i = 0; i < 8; i++) {
        int found = __atomic_load_n(&__gordian_files[i], 0), wanted = 4 * (file + 1) + state;
        if (found == 0 && __atomic_compare_exchange_n(&__gordian_files[i], &found, wanted, 0, 0, 0))
            return 1;
        if (found / 4 == file + 1)
            return found % 4 != refused && __atomic_compare_exchange_n(&__gordian_files[i], &found, wanted, 0, 0, 0);
    }
    return -1;
}

/* A number that no other file has. */
static int __gordian_new_file(int file)
{
    if (file <= 1023 && __gordian_set_file(file, __gordian_is_open, __gordian_is_open) == 1)
        return file;
    file = 1024 + __atomic_fetch_add(&__gordian_further_files, 1, 0);
    __gordian_set_file(file, __gordian_is_open, __gordian_is_open);
    return file;
}

/* A number that is free is not passed over. */
static int __gordian_least_file(int file)
{
    int least = file;
    if (__atomic_load_n(&__gordian_unnumbered_files, 0) != 0)
        return file;
    for (int i = 0; i < 8; i++) {
        int found = __atomic_load_n(&__gordian_files[i], 0);
        if (found % 4 == __gordian_is_closed && found / 4 - 1 < least)
            least = found / 4 - 1;
    }
    return least;
}

/* The number that was chosen, or another one if it is taken. */
static int __gordian_opened_file(int file)
{
    for (int i = 0; i < 2; i++) {
        int least = __gordian_least_file(i == 0 ? file : 1024);
        if (least <= 1023 && __gordian_set_file(least, __gordian_is_open, __gordian_is_open) == 1)
            return least;
    }
    return __gordian_new_file(file);
}

static int __gordian_is_no_file(int file)
{
    if (file < 0 || file > 100000)
        return file < 0;
    for (int i = 0; i < 8; i++)
        if (__atomic_load_n(&__gordian_files[i], 0) == 4 * (file + 1) + __gordian_is_closed)
            return __atomic_load_n(&__gordian_unnumbered_files, 0) == 0;
    return 0;
}

/* Whether a file could be closed. After a failure nothing is known of it, and its number may be given again. */
static int __gordian_end_file(int file, int failed)
{
    if (file < 0 || file > 100000)
        return file >= 0;
    return __gordian_set_file(file, failed ? 0 : __gordian_is_closed, __gordian_is_closed) != 0
        || __atomic_load_n(&__gordian_unnumbered_files, 0) != 0;
}

static void __gordian_end_stream(struct __gordian_stream *stream, int failed)
{
    int known = __atomic_load_n(&stream->descriptor, 0);
    if (known == 0)
        __atomic_fetch_sub(&__gordian_unnumbered_files, 1, 0);
    else
        __gordian_end_file(known - 1, failed);
}

/* Null, or a new stream with this number. */
static struct __gordian_stream *__gordian_new_stream(int number)
{
    if (number < 3) {
        __gordian_result(number < 0 ? number : -2);
        return 0;
    }
    struct __gordian_stream *stream = (struct __gordian_stream *)((char *)__gordian_library_memory(48) + 16);
    stream->number = number;
    return stream;
}

/* A new stream whose file has a number that nobody has asked for yet. */
static struct __gordian_stream *__gordian_new_unnumbered_stream(int number)
{
    struct __gordian_stream *stream = __gordian_new_stream(number);
    if (stream != 0)
        __atomic_fetch_add(&__gordian_unnumbered_files, 1, 0);
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
    long length = __gordian_outside_getcwd(size);
    if (__gordian_fitting_text(target, size, size == 0 ? -22 : length == 0 ? 1 : length) < 0)
        return 0;
    target[0] = '/';
    return target;
}

/* A name has up to 64 characters. Of one that does not fit the beginning is written, and whatever fails may have written. */
int gethostname(char *target, unsigned long size)
{
    long length = __gordian_outside_gethostname(size);
    if (length > 64)
        length = 64;
    if (length >= 0 && (unsigned long)length < size) {
        __gordian_take_bytes(target, length);
        target[length] = 0;
        return 0;
    }
    unsigned long written = size < 65 ? size : 65;
    if (length >= 0 || __gordian_choice() != 0)
        __gordian_fill_bytes(target, written);
    return (int)__gordian_result(length >= 0 ? -36 : length);
}

/* What stands at the beginning of its file. */
static void *__gordian_at_beginning(struct __gordian_stream *stream)
{
    if (stream != 0)
        __gordian_set_state(stream, __gordian_has_position | __gordian_writes_in_place);
    return stream;
}

void *fopen(const char *path, const char *mode)
{
    __gordian_read_text(path);
    __gordian_read_text(mode);
    int number = __gordian_outside_fopen(path, mode);
    struct __gordian_stream *stream = __gordian_new_unnumbered_stream(path[0] == 0 ? -2 : number);
    return mode[0] == 'a' ? stream : __gordian_at_beginning(stream);
}

void *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

void *fdopen(int descriptor, const char *mode)
{
    __gordian_read_text(mode);
    int number = __gordian_outside_fdopen(descriptor, mode);
    struct __gordian_stream *stream = __gordian_new_stream(__gordian_is_no_file(descriptor) ? -9 : number);
    if (stream != 0)
        stream->descriptor = descriptor + 1;
    return stream;
}

void *tmpfile(void) { return __gordian_at_beginning(__gordian_new_unnumbered_stream(__gordian_outside_tmpfile())); }

static void __gordian_set_position(struct __gordian_stream *stream, long position)
{
    __atomic_store_n(&stream->position, position, 0);
    __gordian_set_state(stream, __gordian_has_position);
}

/* Where the stream stands, or something negative if that is not known. */
static long long __gordian_position(struct __gordian_stream *stream)
{
    int state = __gordian_state(stream);
    if ((state & __gordian_has_position) == 0 || __atomic_load_n(&__gordian_flush_has_failed, 0) != 0)
        return -1;
    return __atomic_load_n(&stream->position, 0) - ((state & __gordian_has_pushed) != 0);
}

static int __gordian_seek(struct __gordian_stream *stream, long offset, int from)
{
    int status = __gordian_outside_fseek(stream->number, offset, from);
    long long start = from == 0 ? 0 : from == 1 ? __gordian_position(stream) : -1;
    if (from < 0 || from > 2 || start >= 0 && offset < -start)
        return __gordian_status(-22);
    if (start >= 0 && offset > (long)((unsigned long)-1 >> 1) - start)
        return __gordian_status(-75);
    if (__gordian_status(status) < 0) {
        if (__gordian_choice() != 0)
            __gordian_stream_fails(stream);
        return -1;
    }
    __gordian_clear_state(stream, __gordian_at_end | __gordian_has_pushed | __gordian_has_position);
    if (start >= 0)
        __gordian_set_position(stream, (long)(start + offset));
    return 0;
}

int fseek(struct __gordian_stream *stream, long offset, int from) { return __gordian_seek(stream, offset, from); }
int fseeko(struct __gordian_stream *stream, long offset, int from) { return __gordian_seek(stream, offset, from); }

/* No position that is found, not chosen, is so large that ordinary arithmetic with it overflows. */
static long __gordian_found_position(long position)
{
    long long most = sizeof(long) == 8 ? 1ll << 48 : 0x7fffffff;
    return position < most ? position : (long)most;
}

long ftell(struct __gordian_stream *stream)
{
    long position = __gordian_result(__gordian_found_position(__gordian_outside_ftell(stream->number)));
    if (position < 0)
        return -1;
    long long known = __gordian_position(stream);
    if (known >= 0)
        return (long)known;
    if ((__gordian_state(stream) & __gordian_has_pushed) == 0)
        __gordian_set_position(stream, position);
    return position;
}

long ftello(struct __gordian_stream *stream) { return ftell(stream); }

void rewind(struct __gordian_stream *stream)
{
    __gordian_tell_rewind(stream->number);
    __gordian_clear_state(stream, __gordian_at_end | __gordian_in_error | __gordian_has_pushed);
    __gordian_set_position(stream, 0);
}

/* Of two calls that choose a number at the same time the first one decides. */
int fileno(struct __gordian_stream *stream)
{
    int number = stream->number, known = __atomic_load_n(&stream->descriptor, 0);
    if (known != 0)
        return known - 1;
    int file = __gordian_outside_fileno(number);
    file = __gordian_new_file(file >= 0 ? file : 1024);
    if (__atomic_compare_exchange_n(&stream->descriptor, &known, file + 1, 0, 0, 0)) {
        __atomic_fetch_sub(&__gordian_unnumbered_files, 1, 0);
        return file;
    }
    __gordian_set_file(file, __gordian_is_closed, __gordian_is_closed);
    return known - 1;
}

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
    int file = __gordian_outside_open(path, flags, mode);
    file = (int)__gordian_result(path[0] == 0 ? -2 : file);
    return file < 0 ? -1 : __gordian_opened_file(file);
}

int close(int descriptor)
{
    int result = __gordian_outside_close(descriptor);
    return __gordian_status(__gordian_end_file(descriptor, result < 0) ? result : -9);
}

long read(int descriptor, void *target, unsigned long size)
{
    long length = __gordian_outside_read(descriptor, size);
    length = __gordian_result(__gordian_is_no_file(descriptor) ? -9 : length);
    if (length > 0 && (unsigned long)length > size)
        length = (long)size;
    __gordian_take_bytes(target, length);
    return length;
}

long write(int descriptor, const void *bytes, unsigned long size)
{
    __gordian_read_bytes(bytes, size);
    long length = __gordian_outside_write(descriptor, bytes, size);
    length = __gordian_result(__gordian_is_no_file(descriptor) ? -9 : length);
    if (length > 0 && (unsigned long)length > size)
        length = (long)size;
    return length;
}

static int __gordian_outside_isatty(int descriptor) { return __VERIFIER_nondet_int(); }
int isatty(int descriptor)
{
    int result = __gordian_outside_isatty(descriptor);
    if (__gordian_is_no_file(descriptor))
        result = -9;
    if (result > 0)
        return 1;
    __gordian_status(result < 0 ? result : -25);
    return 0;
}

long lseek(int descriptor, long offset, int from)
{
    long position = __gordian_outside_lseek(descriptor, offset, from);
    if (__gordian_is_no_file(descriptor))
        return __gordian_result(-9);
    if (from < 0 || from > 4 || from == 0 && offset < 0)
        return __gordian_result(-22);
    return __gordian_result(from == 0 && position >= 0 ? offset : __gordian_found_position(position));
}

static const char *__gordian_read_path(const char *path)
{
    __gordian_read_text(path);
    return path;
}

/* What becomes of an operation on this path: no file is without a name. */
static int __gordian_path_status(const char *path, int result) { return __gordian_status(path[0] == 0 ? -2 : result); }

int __gordian_status_of_path(const char *path, int result)
{
    if (path[0] == 0)
        return __gordian_status(-2);
    if (result < 0)
        __gordian_any_error();
    return result;
}

int __gordian_status_of_file(long long file, int result)
{
    if (__gordian_is_no_file((int)file))
        return __gordian_status(-9);
    if (result < 0)
        __gordian_any_error();
    return result;
}

int remove(const char *path) { return __gordian_path_status(path, __gordian_outside_remove(__gordian_read_path(path))); }
int unlink(const char *path) { return __gordian_path_status(path, __gordian_outside_remove(__gordian_read_path(path))); }
int access(const char *path, int mode) { return __gordian_path_status(path, __gordian_outside_access(__gordian_read_path(path), mode)); }
int mkdir(const char *path, unsigned mode) { return __gordian_path_status(path, __gordian_outside_mkdir(__gordian_read_path(path), (int)mode)); }

int rename(const char *from, const char *to)
{
    __gordian_read_text(from);
    __gordian_read_text(to);
    int result = __gordian_outside_rename(from, to);
    return __gordian_status(from[0] == 0 || to[0] == 0 ? -2 : result);
}
