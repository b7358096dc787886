/* Calls of the real library in the place of inputs: see `prelude/input.c` and `prelude/files.c` of the front end. What a
   thread has read waits here until the program's model takes it, eight bytes at a time. A negative result is the number
   of an error. */

enum { GR_STREAMS = 1024 };
static FILE *gr_stream[GR_STREAMS];
static pthread_mutex_t gr_stream_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread char *gr_line;
static __thread size_t gr_line_room;
static __thread size_t gr_line_length;

static FILE *gr_stream_of(u32 stream)
{
    if (stream < 3)
        return stream == 0 ? stdin : stream == 1 ? stdout : stderr;
    return stream < GR_STREAMS ? gr_stream[stream] : NULL;
}

/* The lowest free place, as the number of a file. */
static u64 gr_new_stream(FILE *file)
{
    if (!file)
        return (u64)-errno;
    pthread_mutex_lock(&gr_stream_lock);
    u64 stream = 3;
    while (stream < GR_STREAMS && gr_stream[stream])
        stream++;
    if (stream < GR_STREAMS)
        gr_stream[stream] = file;
    pthread_mutex_unlock(&gr_stream_lock);
    if (stream < GR_STREAMS)
        return stream;
    fclose(file);
    return (u64)-EMFILE;
}

/* What was written reaches its files. Somebody may read from a stream for ever: that one is left alone. */
static void gr_flush_streams(void)
{
    fflush(stdout);
    fflush(stderr);
    for (u64 stream = 3; stream < GR_STREAMS; stream++) {
        FILE *file = gr_stream[stream];
        if (file && ftrylockfile(file) == 0) {
            fflush(file);
            funlockfile(file);
        }
    }
}

static GR_UNUSED u64 gr_result(i64 result) { return (u64)(result < 0 ? -errno : result); }

static GR_UNUSED u64 gr_outside_fopen(ptr path, ptr mode)
{
    return gr_new_stream(fopen((const char *)path, (const char *)mode));
}

static GR_UNUSED u64 gr_outside_fdopen(u32 descriptor, ptr mode)
{
    return gr_new_stream(fdopen((int)descriptor, (const char *)mode));
}

static GR_UNUSED u64 gr_outside_tmpfile(void) { return gr_new_stream(tmpfile()); }

static GR_UNUSED u64 gr_outside_fseek(u32 stream, i64 offset, u32 from)
{
    FILE *file = gr_stream_of(stream);
    return file ? gr_result(fseek(file, (long)offset, (int)from)) : (u64)-EBADF;
}

static GR_UNUSED u64 gr_outside_ftell(u32 stream)
{
    FILE *file = gr_stream_of(stream);
    return file ? gr_result(ftell(file)) : (u64)-EBADF;
}

static GR_UNUSED u64 gr_outside_fileno(u32 stream)
{
    FILE *file = gr_stream_of(stream);
    return file ? gr_result(fileno(file)) : (u64)-EBADF;
}

static GR_UNUSED u64 gr_outside_open(ptr path, u32 flags, u32 mode)
{
    return gr_result(open((const char *)path, (int)flags, (mode_t)mode));
}

static GR_UNUSED u64 gr_outside_close(u32 descriptor) { return gr_result(close((int)descriptor)); }

static GR_UNUSED u64 gr_outside_lseek(u32 descriptor, i64 offset, u32 from)
{
    return gr_result(lseek((int)descriptor, (off_t)offset, (int)from));
}

static GR_UNUSED u64 gr_outside_write(u32 descriptor, ptr bytes, u64 size)
{
    return gr_result(write((int)descriptor, (const void *)bytes, (size_t)size));
}

static GR_UNUSED u64 gr_outside_isatty(u32 descriptor) { return isatty((int)descriptor) ? 1 : (u64)-errno; }
static GR_UNUSED u64 gr_outside_remove(ptr path) { return gr_result(remove((const char *)path)); }
static GR_UNUSED u64 gr_outside_rename(ptr from, ptr to) { return gr_result(rename((const char *)from, (const char *)to)); }
static GR_UNUSED u64 gr_outside_access(ptr path, u32 mode) { return gr_result(access((const char *)path, (int)mode)); }
static GR_UNUSED u64 gr_outside_mkdir(ptr path, u32 mode) { return gr_result(mkdir((const char *)path, (mode_t)mode)); }

/* Why nothing could be read: -1 at the end of the file, -2 for an error. */
static u64 gr_nothing_read(FILE *file) { return (u64)(file && !ferror(file) ? -1 : -2); }

static GR_UNUSED u64 gr_outside_fgetc(u32 stream)
{
    FILE *file = gr_stream_of(stream);
    int c = file ? fgetc(file) : EOF;
    return c != EOF ? (u64)c : gr_nothing_read(file);
}

static GR_UNUSED u64 gr_outside_ungetc(u32 character, u32 stream)
{
    FILE *file = gr_stream_of(stream);
    return (u64)(file ? ungetc((int)character, file) : EOF);
}

static int gr_line_holds(u64 size)
{
    if (gr_line_room < size) {
        free(gr_line);
        gr_line = malloc(size);
        gr_line_room = gr_line ? size : 0;
    }
    return gr_line != NULL;
}

static GR_UNUSED u64 gr_outside_fgets(u32 stream, i64 size)
{
    FILE *file = gr_stream_of(stream);
    if (!file || size > INT_MAX || !gr_line_holds(size) || !fgets(gr_line, (int)size, file)) {
        gr_line_length = 0;
        return gr_nothing_read(file);
    }
    gr_line_length = strlen(gr_line);
    return gr_line_length;
}

static GR_UNUSED u64 gr_outside_getline(u32 stream, u32 delimiter)
{
    FILE *file = gr_stream_of(stream);
    ssize_t length = file ? getdelim(&gr_line, &gr_line_room, (int)delimiter, file) : -1;
    gr_line_length = length < 0 ? 0 : (size_t)length;
    return length < 0 ? gr_nothing_read(file) : (u64)length;
}

/* A negative result: an error after fewer bytes than its magnitude. */
static GR_UNUSED u64 gr_outside_fread(u32 stream, i64 size)
{
    FILE *file = gr_stream_of(stream);
    if (!file || !gr_line_holds((u64)size))
        return (u64)-1;
    gr_line_length = fread(gr_line, 1, (size_t)size, file);
    return gr_line_length < (u64)size && ferror(file) ? (u64)-1 - gr_line_length : gr_line_length;
}

static GR_UNUSED u64 gr_outside_read(u32 descriptor, u64 size)
{
    if (!gr_line_holds(size ? size : 1))
        return (u64)-ENOMEM;
    ssize_t length = read((int)descriptor, gr_line, (size_t)size);
    gr_line_length = length < 0 ? 0 : (size_t)length;
    return gr_result(length);
}

static GR_UNUSED u64 gr_outside_bytes(i64 position)
{
    u64 bytes = 0;
    size_t left = (u64)position < gr_line_length ? gr_line_length - (size_t)position : 0;
    for (size_t i = 0; i < left && i < 8; i++)
        bytes |= (u64)(u8)gr_line[position + i] << 8 * i;
    return bytes;
}

/* A text for the model to take; its length. */
static GR_UNUSED u64 gr_hold_text(const char *text, size_t length)
{
    if (!text || !gr_line_holds(length + 1))
        return (u64)-1;
    memcpy(gr_line, text, length);
    gr_line_length = length;
    return length;
}

static GR_UNUSED u64 gr_outside_getenv(ptr name)
{
    const char *value = getenv((const char *)name);
    return gr_hold_text(value, value ? strlen(value) : 0);
}

static GR_UNUSED u64 gr_outside_getcwd(u64 size)
{
    if (!gr_line_holds(size ? size : 1) || !getcwd(gr_line, (size_t)size))
        return (u64)-errno;
    return gr_line_length = strlen(gr_line);
}

static GR_UNUSED u64 gr_outside_gethostname(u64 size)
{
    if (!gr_line_holds(size + 1) || gethostname(gr_line, (size_t)size) != 0)
        return (u64)-errno;
    gr_line[size] = 0;
    size_t length = strlen(gr_line);
    return gr_line_length = length < size ? length : size - 1;
}

static GR_UNUSED u64 gr_outside_indicators(u32 stream)
{
    FILE *file = gr_stream_of(stream);
    return file ? (u64)(feof(file) != 0) | (u64)(ferror(file) != 0) << 1 : 2;
}

static GR_UNUSED u64 gr_outside_rand(void) { return (u64)rand(); }

static GR_UNUSED u64 gr_outside_drand48(void)
{
    double number = drand48();
    u64 bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static GR_UNUSED u64 gr_outside_lrand48(void) { return (u64)lrand48(); }
static GR_UNUSED u64 gr_outside_mrand48(void) { return (u64)mrand48(); }

/* Seconds and nanoseconds in one number. */
static GR_UNUSED u64 gr_outside_time(u32 clock)
{
    struct timespec now = {0, 0};
    clock_gettime((clockid_t)clock, &now);
    return (u64)now.tv_sec << 30 | (u64)now.tv_nsec;
}

/* What has gone by since the clock was looked at; the time of the processor is a clock that has no number. */
static GR_UNUSED u64 gr_outside_elapsed(u32 clock_number, ptr before)
{
    u64 now = clock_number == (u32)-1 ? (u64)clock() : gr_outside_time(clock_number);
    u64 then = gr_load_u64(before);
    return now > then ? now - then : 0;
}

static GR_UNUSED u64 gr_outside_resolution(u32 clock)
{
    struct timespec resolution = {0, 0};
    clock_getres((clockid_t)clock, &resolution);
    return (u64)resolution.tv_nsec;
}

/* What has been used since the last look: times first, then the other members in their order. */
static GR_UNUSED u64 gr_outside_used(u32 who, u32 what, ptr before)
{
    struct rusage usage;
    if (getrusage((int)who, &usage) != 0)
        return 0;
    const struct timeval *times[2] = {&usage.ru_utime, &usage.ru_stime};
    u64 now = what < 2 ? (u64)times[what]->tv_sec << 30 | (u64)times[what]->tv_usec : (u64)(&usage.ru_maxrss)[what - 2];
    u64 then = gr_load_u64(before);
    return now > then ? now - then : 0;
}

static GR_UNUSED u64 gr_outside_gettid(void) { return (u64)syscall(SYS_gettid); }

/* The structure without its zone, whose name the interpreter does not know. */
static GR_UNUSED struct tm gr_time_at(ptr time)
{
    struct tm copy = *(const struct tm *)time;
    if (!copy.tm_zone)
        copy.tm_zone = "";
    return copy;
}

static GR_UNUSED u64 gr_outside_mktime(ptr time)
{
    struct tm copy = gr_time_at(time);
    return (u64)mktime(&copy);
}

static GR_UNUSED u64 gr_outside_strftime(u64 size, ptr format, ptr time)
{
    struct tm copy = gr_time_at(time);
    if (!gr_line_holds(size ? size : 1))
        return 0;
    gr_line_length = strftime(gr_line, (size_t)size, (const char *)format, &copy);
    return gr_line_length;
}

static GR_UNUSED u64 gr_outside_ctime(ptr time)
{
    char text[64];
    time_t when = *(const time_t *)time;
    return ctime_r(&when, text) ? gr_hold_text(text, strlen(text)) : (u64)-1;
}

static GR_UNUSED u64 gr_outside_asctime(ptr time)
{
    char text[64];
    struct tm copy = gr_time_at(time);
    return asctime_r(&copy, text) ? gr_hold_text(text, strlen(text)) : (u64)-1;
}
