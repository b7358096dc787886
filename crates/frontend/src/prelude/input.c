/* What comes from outside. To a verifier each `__gordian_outside_` function is an input; a native run calls the library
   there (crates/native, `runtime/outside.c`). Streams are places in one array: stdin, stdout, stderr, then what is opened. */
char __gordian_streams[1024];

extern long __VERIFIER_nondet_long(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

/* Before an input that a user's function takes, a question is asked: natively the answers wait for the thread until its
   inputs take them. To everybody else a question is nothing. */
void __gordian_ask_scanf(const char *format) {}
void __gordian_ask_fscanf(void *stream, const char *format) {}
void __gordian_ask_sscanf(const char *string, const char *format) {}
void __gordian_ask_getpid(void) {}
void __gordian_ask_getppid(void) {}
void __gordian_ask_gettid(void) {}
void __gordian_ask_getuid(void) {}
void __gordian_ask_geteuid(void) {}
void __gordian_ask_getgid(void) {}
void __gordian_ask_getegid(void) {}
void __gordian_ask_sysconf(long name) {}
void __gordian_ask_get_nprocs(void) {}
void __gordian_ask_get_nprocs_conf(void) {}
void __gordian_ask_isatty(long descriptor) {}
void __gordian_ask_rand_r(unsigned *seed) {}
void __gordian_ask_lrand48(void) {}
void __gordian_ask_mrand48(void) {}

/* The length of the next string that was scanned. */
static long __gordian_outside_scanned(void) { return __VERIFIER_nondet_long(); }
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

extern void __VERIFIER_assume(int condition);

/* A string without zeros. */
void __gordian_scan_text(char *target, long long longest)
{
    long length = __gordian_outside_scanned();
    __VERIFIER_assume(length > 0 && length <= longest);
    unsigned long long bytes = 0;
    for (long i = 0; i < length; i++) {
        if (i % 8 == 0)
            bytes = __gordian_outside_bytes(i);
        __VERIFIER_assume((char)bytes != 0);
        target[i] = (char)bytes;
        bytes = bytes >> 8;
    }
    target[length] = 0;
}

void __gordian_scan_characters(char *target, long long count)
{
    __gordian_outside_scanned();
    __gordian_take_bytes(target, (long)count);
}

int fgetc(void *stream)
{
    int c = __gordian_outside_fgetc(stream);
    return c < 0 || c > 255 ? -1 : c;
}

int getc(void *stream) { return fgetc(stream); }

static int __gordian_outside_ungetc(int character, void *stream) { return __VERIFIER_nondet_int(); }
int ungetc(int character, void *stream)
{
    return character == -1 || __gordian_outside_ungetc(character, stream) < 0 ? -1 : (unsigned char)character;
}

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
        if (*line == 0) {
            *room = 0;
            return -1;
        }
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

extern double __VERIFIER_nondet_double(void);
static double __gordian_outside_drand48(void) { return __VERIFIER_nondet_double(); }

double drand48(void)
{
    double number = __gordian_outside_drand48();
    __VERIFIER_assume(number >= 0.0 && number < 1.0);
    return number;
}

long clock(void) { return __gordian_outside_clock(); }

void __gordian_tell_srand(unsigned seed) {}
void srand(unsigned seed) { __gordian_tell_srand(seed); }
void srandom(unsigned seed) { __gordian_tell_srand(seed); }
void srand48(long seed) { __gordian_tell_srand((unsigned)seed); }
