/* What comes from outside. To a verifier each `__gordian_outside_` function is an input; a native run calls the library
   there (crates/native, `runtime/outside.c`). A stream is an object that holds its number: stdin, stdout, stderr, then what is
   opened. Every use reads it. */
struct __gordian_stream {
    int number;
};
struct __gordian_stream __gordian_streams[3] = {{0}, {1}, {2}};

int __gordian_optional_stream(struct __gordian_stream *stream) { return stream == 0 ? -1 : stream->number; }

extern long __VERIFIER_nondet_long(void);
extern char __VERIFIER_nondet_char(void);
extern int *__errno_location(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

/* Before an input that a user's function takes, a question is asked: natively the answers wait for the thread until its
   inputs take them. To everybody else a question is nothing. */
void __gordian_ask_scanf(const char *format) {}
void __gordian_ask_fscanf(int stream, const char *format) {}
void __gordian_ask_sscanf(const char *string, const char *format) {}
void __gordian_ask_getpid(void) {}
void __gordian_ask_getppid(void) {}
void __gordian_ask_getuid(void) {}
void __gordian_ask_geteuid(void) {}
void __gordian_ask_getgid(void) {}
void __gordian_ask_getegid(void) {}
void __gordian_ask_sysconf(long long name) {}
void __gordian_ask_get_nprocs(void) {}
void __gordian_ask_get_nprocs_conf(void) {}
void __gordian_ask_isatty(long long descriptor) {}
void __gordian_ask_rand_r(unsigned *seed) {}
void __gordian_ask_lrand48(void) {}
void __gordian_ask_mrand48(void) {}

/* The length of the next string that was scanned. */
static long __gordian_outside_scanned(void) { return __VERIFIER_nondet_long(); }
static int __gordian_outside_fgetc(int stream) { return __VERIFIER_nondet_int(); }
static long __gordian_outside_fgets(int stream, long size) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_getline(int stream, int delimiter) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_fread(int stream, long size) { return __VERIFIER_nondet_long(); }
static int __gordian_outside_feof(int stream) { return __VERIFIER_nondet_int(); }
static int __gordian_outside_ferror(int stream) { return __VERIFIER_nondet_int(); }
int __VERIFIER_nondet_int(void);
/* Zero, which a native run takes, or anything else. */
int __gordian_choice(void) { return __VERIFIER_nondet_int(); }

/* Any number of the same sign. */
int __gordian_any_magnitude(int value)
{
    int magnitude = __VERIFIER_nondet_int();
    if (value == 0)
        return 0;
    if (value < 0)
        return magnitude < 0 ? magnitude : -1;
    return magnitude > 0 ? magnitude : 1;
}

unsigned long long __gordian_any_word(void) { return __VERIFIER_nondet_ulonglong(); }

/* The result of a function that prints: `length`, or more unless that is exact, or a failure. */
int __gordian_printed(int length, int exact)
{
    int choice = __VERIFIER_nondet_int();
    if (choice == 0)
        return length;
    return exact || choice < length ? -1 : choice;
}

void __gordian_any_error(void)
{
    int error = __VERIFIER_nondet_int();
    *__errno_location() = error >= 1 && error <= 133 ? error : 5;
}

/* What a block of memory is used for: every byte, of which an execution picks the first, the last and one of the others. */
void __gordian_read_bytes(const char *bytes, unsigned long size)
{
    unsigned long any;
    char c;
    if (size == 0)
        return;
    c = bytes[0];
    c = bytes[size - 1];
    if (any < size)
        c = bytes[any];
}

void __gordian_update_bytes(char *bytes, unsigned long size)
{
    unsigned long any;
    if (size == 0)
        return;
    bytes[0] = bytes[0];
    bytes[size - 1] = bytes[size - 1];
    if (any < size)
        bytes[any] = bytes[any];
}

void __gordian_fill_bytes(char *bytes, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        bytes[i] = __VERIFIER_nondet_char();
}

static int __gordian_outside_rand(void) { return __VERIFIER_nondet_int(); }
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

/* A string without zeros. */
void __gordian_scan_text(char *target, long long longest)
{
    long length = __gordian_outside_scanned();
    if (length <= 0)
        length = 1;
    if (length > longest)
        length = (long)longest;
    unsigned long long bytes = 0;
    for (long i = 0; i < length; i++) {
        if (i % 8 == 0)
            bytes = __gordian_outside_bytes(i);
        target[i] = (char)bytes != 0 ? (char)bytes : 'x';
        bytes = bytes >> 8;
    }
    target[length] = 0;
}

void __gordian_scan_characters(char *target, long long count)
{
    __gordian_outside_scanned();
    __gordian_take_bytes(target, (long)count);
}

int fgetc(struct __gordian_stream *stream)
{
    int c = __gordian_outside_fgetc(stream->number);
    return c < 0 || c > 255 ? -1 : c;
}

int getc(struct __gordian_stream *stream) { return fgetc(stream); }

static int __gordian_outside_ungetc(int character, int stream) { return __VERIFIER_nondet_int(); }
int ungetc(int character, struct __gordian_stream *stream)
{
    int number = stream->number;
    return character == -1 || __gordian_outside_ungetc(character, number) < 0 ? -1 : (unsigned char)character;
}

int getchar(void)
{
    int c = __gordian_outside_fgetc(0);
    return c < 0 || c > 255 ? -1 : c;
}

/* A line ends with its newline, if it has one. */
static long __gordian_take_line(char *target, long length, char end)
{
    unsigned long long bytes = 0;
    long i = 0;
    while (i < length) {
        if (i % 8 == 0)
            bytes = __gordian_outside_bytes(i);
        char c = (char)bytes;
        target[i] = c;
        i++;
        if (c == end)
            break;
        bytes = bytes >> 8;
    }
    target[i] = 0;
    return i;
}

char *fgets(char *target, int size, struct __gordian_stream *stream)
{
    int number = stream->number;
    if (size <= 0)
        return 0;
    long length = __gordian_outside_fgets(number, size);
    if (length <= 0)
        return 0;
    if (length >= size)
        length = size - 1;
    __gordian_take_line(target, length, '\n');
    return target;
}

unsigned long fread(void *target, unsigned long size, unsigned long count, struct __gordian_stream *stream)
{
    int number = stream->number;
    unsigned long all = size * count;
    if (all == 0)
        return 0;
    long length = __gordian_outside_fread(number, (long)all);
    if (length <= 0)
        return 0;
    if ((unsigned long)length >= all) {
        __gordian_take_bytes(target, (long)all);
        return count;
    }
    __gordian_take_bytes(target, length);
    return (unsigned long)length / size;
}

long getdelim(char **line, unsigned long *room, int delimiter, struct __gordian_stream *stream)
{
    long length = __gordian_outside_getline(stream->number, delimiter);
    char *old = *line;
    unsigned long size = *room;
    if (length <= 0 || length > 0x7fffffff)
        return -1;
    if (old == 0 || size < (unsigned long)length + 1) {
        size = (unsigned long)length + 1;
        free(old);
        old = malloc(size);
        if (old == 0) {
            *room = 0;
            *line = 0;
            return -1;
        }
        *room = size;
        *line = old;
    }
    return __gordian_take_line(old, length, (char)delimiter);
}

long getline(char **line, unsigned long *room, struct __gordian_stream *stream) { return getdelim(line, room, '\n', stream); }

int feof(struct __gordian_stream *stream) { return __gordian_outside_feof(stream->number) != 0; }
int ferror(struct __gordian_stream *stream) { return __gordian_outside_ferror(stream->number) != 0; }
int rand(void) { return __gordian_outside_rand() & 0x7fffffff; }
long random(void) { return __gordian_outside_rand() & 0x7fffffff; }

extern double __VERIFIER_nondet_double(void);
char __gordian_drand48;
static double __gordian_outside_drand48(void) { return __VERIFIER_nondet_double(); }

double drand48(void)
{
    double number = __gordian_outside_drand48();
    __gordian_drand48 = 0;
    return number >= 0.0 && number < 1.0 ? number : 0.5;
}

void __gordian_tell_srand(unsigned seed) {}
void srand(unsigned seed) { __gordian_tell_srand(seed); }
void srandom(unsigned seed) { __gordian_tell_srand(seed); }
void srand48(long seed)
{
    __gordian_drand48 = 0;
    __gordian_tell_srand((unsigned)seed);
}
