/* What comes from outside. To a verifier each `__gordian_outside_` function is an input; a native run calls the library
   there (crates/native, `runtime/outside.c`). Streams are places in one array: stdin, stdout, stderr, then what is opened. */
char __gordian_streams[1024];

extern long __VERIFIER_nondet_long(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

static int __gordian_outside_fopen(const char *path, const char *mode) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_fgetc(void *stream) { return __VERIFIER_nondet_int(); }
static long __gordian_outside_fgets(void *stream, long size) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_getline(void *stream, int delimiter) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_fread(void *stream, long size) { return __VERIFIER_nondet_long(); }
static int __gordian_outside_feof(void *stream) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_ferror(void *stream) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_rand(void) { return __VERIFIER_nondet_int(); }
static long __gordian_outside_clock(void) { return __VERIFIER_nondet_long(); }
/* Eight bytes of what the thread has read last, the first in the lowest digits. */
static unsigned long long __gordian_outside_bytes(long position) { return __VERIFIER_nondet_ulonglong(); }

static void __gordian_take_bytes(char *target, long length)
{
    unsigned long long bytes = 0;
    for (long i = 0; i < length; i++) {
        if (i % 8 == 0)
            bytes = __gordian_outside_bytes(i);
        target[i] = (char)bytes;
        bytes = bytes >> 8;
    }
}

void *fopen(const char *path, const char *mode)
{
    int stream = __gordian_outside_fopen(path, mode);
    if (stream < 3 || stream >= 1024)
        return 0;
    return &__gordian_streams[stream];
}

int fgetc(void *stream)
{
    int c = __gordian_outside_fgetc(stream);
    return c < 0 || c > 255 ? -1 : c;
}

int getc(void *stream) { return fgetc(stream); }

int getchar(void)
{
    int c = __gordian_outside_fgetc(__gordian_streams);
    return c < 0 || c > 255 ? -1 : c;
}

char *fgets(char *target, int size, void *stream)
{
    if (size <= 0)
        return 0;
    long length = __gordian_outside_fgets(stream, size);
    if (length < 0 || length >= size)
        return 0;
    __gordian_take_bytes(target, length);
    target[length] = 0;
    return target;
}

unsigned long fread(void *target, unsigned long size, unsigned long count, void *stream)
{
    unsigned long all = size * count;
    if (all == 0)
        return 0;
    long length = __gordian_outside_fread(stream, (long)all);
    if (length <= 0 || (unsigned long)length > all)
        return 0;
    __gordian_take_bytes(target, length);
    return (unsigned long)length / size;
}

long getdelim(char **line, unsigned long *room, int delimiter, void *stream)
{
    long length = __gordian_outside_getline(stream, delimiter);
    if (length < 0 || length > 0x7fffffff)
        return -1;
    if (*line == 0 || *room < (unsigned long)length + 1) {
        free(*line);
        *room = (unsigned long)length + 1;
        *line = malloc(*room);
    }
    __gordian_take_bytes(*line, length);
    (*line)[length] = 0;
    return length;
}

long getline(char **line, unsigned long *room, void *stream) { return getdelim(line, room, '\n', stream); }

int feof(void *stream) { return __gordian_outside_feof(stream) != 0; }
int ferror(void *stream) { return __gordian_outside_ferror(stream) != 0; }
int rand(void) { return __gordian_outside_rand() & 0x7fffffff; }
long random(void) { return __gordian_outside_rand() & 0x7fffffff; }
long clock(void) { return __gordian_outside_clock(); }
