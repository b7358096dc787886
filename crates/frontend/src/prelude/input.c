/* What comes from outside. To a verifier each `__gordian_outside_` function is an input; a native run calls the library
   there (crates/native, `runtime/outside.c`). A stream is an object that holds its number: stdin, stdout, stderr, then what is
   opened. Every use reads it. */
enum {
    __gordian_at_end = 1,
    __gordian_in_error = 2,
    __gordian_has_position = 4,
    __gordian_has_pushed = 8,
    __gordian_writes_in_place = 16,
};

/* The state says what feof and ferror show, whether `pushed` holds a character that ungetc gave back, whether `position`
   is where the stream stands once that has been read again, and whether what is written goes there. `descriptor` is one more than the number of the file, once that is known. Streams have locks: what is
   not constant is accessed atomically. The front end knows the size. */
struct __gordian_stream {
    int number, state, pushed, descriptor;
    long long position;
};
struct __gordian_stream __gordian_streams[3] = {{0, 0, 0, 1, 0}, {1, 0, 0, 2, 0}, {2, 0, 0, 3, 0}};

/* What stands in the place of a standard stream must be that stream, as far as models know. */
void __gordian_need_stream(struct __gordian_stream *stream, int number)
{
    if (stream->number != number)
        __gordian_unsupported("another stream in the place of a standard one");
}

int __gordian_optional_stream(struct __gordian_stream *stream) { return stream == 0 ? -1 : stream->number; }

extern long __VERIFIER_nondet_long(void);
extern char __VERIFIER_nondet_char(void);
extern int *__errno_location(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

/* Before an input that a user's function takes, a question is asked: natively the answers wait for the thread until its
   inputs take them. To everybody else a question is nothing. */
void __gordian_ask_scanf(const char *format) {}
void __gordian_ask_fscanf(int stream, const char *format) {}
void __gordian_ask_getpid(void) {}
void __gordian_ask_getppid(void) {}
void __gordian_ask_getuid(void) {}
void __gordian_ask_geteuid(void) {}
void __gordian_ask_getgid(void) {}
void __gordian_ask_getegid(void) {}
void __gordian_ask_sysconf(long long name) {}
void __gordian_ask_get_nprocs(void) {}
void __gordian_ask_get_nprocs_conf(void) {}

/* The length of the next string that was scanned. */
static long __gordian_outside_scanned(void) { return __VERIFIER_nondet_long(); }
static int __gordian_outside_fgetc(int stream) { return __VERIFIER_nondet_int(); }
static long __gordian_outside_fgets(int stream, long size) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_getline(int stream, int delimiter) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_fread(int stream, long size) { return __VERIFIER_nondet_long(); }
/* What feof and, in the second bit, ferror show after a format was scanned. */
static int __gordian_outside_indicators(int stream) { return __VERIFIER_nondet_int(); }
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

void __gordian_any_error(void)
{
    int error = __VERIFIER_nondet_int();
    *__errno_location() = error >= 1 && error <= 133 ? error : 5;
}

/* `errno` may be anything. */
void __gordian_spoil_errno(void)
{
    int error = __gordian_choice();
    if (error != 0)
        *__errno_location() = error;
}

/* -1 means that there is no limit, which leaves `errno` alone, or that there is no such question. */
void __gordian_no_system_value(long long answer)
{
    if (answer == -1 && __gordian_choice() == 0)
        *__errno_location() = 22;
}

static int __gordian_state(struct __gordian_stream *stream) { return __atomic_load_n(&stream->state, 0); }
static void __gordian_set_state(struct __gordian_stream *stream, int bits) { __atomic_fetch_or(&stream->state, bits, 0); }
static void __gordian_clear_state(struct __gordian_stream *stream, int bits) { __atomic_fetch_and(&stream->state, ~bits, 0); }

static void __gordian_lose_position(struct __gordian_stream *stream)
{
    if (__gordian_state(stream) & __gordian_has_position)
        __gordian_clear_state(stream, __gordian_has_position);
}

/* Where the stream stands afterwards is indeterminate. */
static void __gordian_stream_fails(struct __gordian_stream *stream)
{
    __gordian_set_state(stream, __gordian_in_error);
    __gordian_lose_position(stream);
    __gordian_any_error();
}

/* The result of a function that prints: `length`, or more unless that is exact, or a failure. */
static int __gordian_printed_length(int length, int exact)
{
    int choice = __VERIFIER_nondet_int();
    if (choice == 0)
        return length;
    return exact || choice < length ? -1 : choice;
}

int __gordian_printed(int length, int exact)
{
    int printed = __gordian_printed_length(length, exact);
    if (printed < 0)
        __gordian_any_error();
    return printed;
}

int __gordian_printed_to(struct __gordian_stream *stream, int length, int exact)
{
    int printed = __gordian_printed_length(length, exact);
    __gordian_lose_position(stream);
    if (printed < 0)
        __gordian_stream_fails(stream);
    return printed;
}

/* Once all streams were to be written and one of them could not be, which one that was is not known. */
static int __gordian_flush_has_failed;

int __gordian_flushed(struct __gordian_stream *stream)
{
    if (__gordian_choice() == 0)
        return 0;
    if (stream == 0) {
        __atomic_store_n(&__gordian_flush_has_failed, 1, 0);
        __gordian_any_error();
    } else {
        __gordian_stream_fails(stream);
    }
    return -1;
}

int __gordian_printed_out(int length, int exact) { return __gordian_printed_to(&__gordian_streams[1], length, exact); }

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
        target[i] = (char)bytes != 0 && !__gordian_is_space((unsigned char)bytes) ? (char)bytes : 'x';
        bytes = bytes >> 8;
    }
    target[length] = 0;
}

/* Whether a set of characters, which stands between brackets in a format, has this one. */
static int __gordian_is_in_set(const char *set, const char *end, unsigned char c)
{
    int negated = *set == '^', found = 0;
    for (const char *p = set + negated; p < end; p++) {
        unsigned char low = (unsigned char)*p, high = low;
        if (p + 2 < end && p[1] == '-') {
            high = (unsigned char)p[2];
            p += 2;
        }
        if (c >= low && c <= high)
            found = 1;
    }
    return c != 0 && found != negated;
}

void __gordian_scan_set(char *target, long long longest, const char *set)
{
    const char *end = set + strlen(set);
    unsigned char other = 'a';
    while (!__gordian_is_in_set(set, end, other))
        other++;
    long length = __gordian_outside_scanned();
    if (length <= 0)
        length = 1;
    if (length > longest)
        length = (long)longest;
    unsigned long long bytes = 0;
    for (long i = 0; i < length; i++) {
        if (i % 8 == 0)
            bytes = __gordian_outside_bytes(i);
        target[i] = (char)(__gordian_is_in_set(set, end, (unsigned char)bytes) ? (unsigned char)bytes : other);
        bytes = bytes >> 8;
    }
    target[length] = 0;
}

/* What was read before a conversion of so many characters came to the end of its input may have been stored. */
void __gordian_scan_some_characters(char *target, long long count)
{
    int length = __gordian_choice();
    if (length > 0 && length < count)
        __gordian_fill_bytes(target, (unsigned long)length);
}

void __gordian_scan_characters(char *target, long long count)
{
    __gordian_outside_scanned();
    __gordian_take_bytes(target, (long)count);
}

/* Nothing could be read: at the end of the file, which is -1 here, or because of an error. */
static void __gordian_nothing_read(struct __gordian_stream *stream, long result)
{
    if (result < -1)
        __gordian_stream_fails(stream);
    else
        __gordian_set_state(stream, __gordian_at_end);
}

static void __gordian_advance(struct __gordian_stream *stream, long count)
{
    if (__gordian_state(stream) & __gordian_has_position)
        __atomic_fetch_add(&stream->position, count, 0);
}

/* The character that was given back to the stream, or -1. */
static int __gordian_take_pushed(struct __gordian_stream *stream, int state)
{
    if ((state & __gordian_has_pushed) == 0)
        return -1;
    int character = __atomic_load_n(&stream->pushed, 0);
    __gordian_clear_state(stream, __gordian_has_pushed);
    return character;
}

static int __gordian_get(struct __gordian_stream *stream)
{
    int number = stream->number, state = __gordian_state(stream);
    int c = __gordian_outside_fgetc(number);
    if (state & (__gordian_has_pushed | __gordian_at_end))
        return __gordian_take_pushed(stream, state);
    if (c >= 0 && c <= 255) {
        __gordian_advance(stream, 1);
        return c;
    }
    __gordian_nothing_read(stream, c < 0 ? c : -1);
    return -1;
}

/* What a conversion of a string is: how wide at most, of which size, whether it is stored, and whether C23's binary numbers
   are known. */
struct __gordian_conversion {
    int width, size, stored, base, is_signed, binary;
};

/* The digits of an integer: whether there are any, and the value, or the limit of its type. To many libraries a prefix
   without digits is a zero. */
static int __gordian_scan_integer(const char **at, const struct __gordian_conversion *what, unsigned long long *value)
{
    const char *p = *at;
    int left = what->width, base = what->base, negative = 0, any = 0, overflow = 0;
    unsigned long long most = what->size >= 8 ? 0xffffffffffffffffull : (unsigned long)-1, sum = 0;
    if (left > 0 && (*p == '-' || *p == '+')) {
        negative = *p == '-';
        p++;
        left--;
    }
    if (left > 0 && *p == '0' && (base == 0 || base == 16)) {
        any = 1;
        p++;
        left--;
        if (left > 0 && (*p == 'x' || *p == 'X')) {
            p++;
            left--;
            any = __gordian_choice() == 0;
            base = 16;
        } else if (left > 0 && base == 0 && what->binary && (*p == 'b' || *p == 'B')) {
            p++;
            left--;
            any = __gordian_choice() == 0;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; left > 0 && __gordian_digit((unsigned char)*p) < base; p++) {
        unsigned digit = (unsigned)__gordian_digit((unsigned char)*p);
        if (sum > (most - digit) / (unsigned)base)
            overflow = 1;
        sum = sum * (unsigned)base + digit;
        any = 1;
        left--;
    }
    unsigned long long limit = what->is_signed ? (most >> 1) + (unsigned)negative : most;
    if (overflow || sum > limit)
        sum = limit;
    else if (negative && !what->is_signed)
        sum = -sum;
    *value = negative && what->is_signed ? -sum : sum;
    *at = p;
    return any;
}

static void __gordian_store_integer(void *target, int size, unsigned long long value)
{
    if (size == 1)
        *(unsigned char *)target = (unsigned char)value;
    else if (size == 2)
        *(unsigned short *)target = (unsigned short)value;
    else if (size == 4)
        *(unsigned *)target = (unsigned)value;
    else
        *(unsigned long long *)target = value;
}

/* As in glibc: the end of the string before anything is stored is -1. */
static int __gordian_scan_string(const char *s, const char *format, __builtin_va_list list, int binary)
{
    __gordian_read_string(s, (unsigned long)-1);
    const char *p = s;
    int count = 0;
    for (const char *f = format; *f != 0; f++) {
        struct __gordian_conversion what = {0x7fffffff, 4, 1, 10, 1, binary};
        int is_long_double = 0;
        if (__gordian_is_space((unsigned char)*f)) {
            while (__gordian_is_space((unsigned char)*p))
                p++;
            continue;
        }
        if (*f != '%') {
            if (*p != *f)
                return *p == 0 && count == 0 ? -1 : count;
            p++;
            continue;
        }
        f++;
        if (*f == '*') {
            what.stored = 0;
            f++;
        }
        if (__gordian_is_digit(*f)) {
            what.width = 0;
            for (; __gordian_is_digit(*f); f++)
                what.width = what.width * 10 + (*f - '0');
        }
        for (;; f++) {
            if (*f == 'h')
                what.size /= 2;
            else if (*f == 'l')
                what.size = what.size == 4 ? (int)sizeof(long) : 8;
            else if (*f == 'L')
                is_long_double = 1;
            else if (*f == 'q' || *f == 'j')
                what.size = 8;
            else if (*f == 'z' || *f == 't')
                what.size = (int)sizeof(long);
            else
                break;
        }
        int is_text = *f == 'c' || *f == 's' || *f == '[', is_number = *f == 'd' || *f == 'i' || *f == 'u' || *f == 'n';
        if (is_long_double && !is_number || is_text && what.size != 4)
            __gordian_unsupported("`sscanf` with this format");
        if (*f != 'c' && *f != '[' && *f != 'n')
            while (__gordian_is_space((unsigned char)*p))
                p++;
        if (*f == 'n') {
            if (what.stored)
                __gordian_store_integer(__builtin_va_arg(list, void *), what.size, (unsigned long long)(p - s));
            continue;
        }
        if (*p == 0)
            return count == 0 ? -1 : count;
        char kind = *f;
        if (kind == '%') {
            if (*p != '%')
                return count;
            p++;
            continue;
        }
        if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o') {
            unsigned long long value;
            what.base = kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'x' || kind == 'X' ? 16 : 10;
            what.is_signed = kind == 'd' || kind == 'i';
            if (!__gordian_scan_integer(&p, &what, &value))
                return *p == 0 && count == 0 && __gordian_choice() != 0 ? -1 : count;
            if (what.stored)
                __gordian_store_integer(__builtin_va_arg(list, void *), what.size, value);
        } else if (kind == 'c' || kind == 's' || kind == '[') {
            const char *set = f + 1, *end = set;
            if (kind == '[') {
                end = set + (*set == '^');
                for (end += *end == ']'; *end != ']' && *end != 0; end++)
                    ;
                f = end;
            }
            const char *start = p;
            char *target = what.stored ? __builtin_va_arg(list, char *) : 0;
            int most = kind == 'c' && what.width == 0x7fffffff ? 1 : what.width, length = 0;
            while (length < most && *p != 0 && (kind == 'c' || (kind == 's' ? !__gordian_is_space((unsigned char)*p) : __gordian_is_in_set(set, end, (unsigned char)*p)))) {
                if (target != 0) {
                    target[length] = *p;
                    __gordian_apart(target, start, (unsigned long)length);
                }
                p++;
                length++;
            }
            if (length == 0)
                return count;
            if (kind == 'c' && length < most && __gordian_choice() != 0)
                return count == 0 ? -1 : count;
            if (kind != 'c' && target != 0)
                target[length] = 0;
        } else if ((kind == 'f' || kind == 'e' || kind == 'g' || kind == 'E' || kind == 'G') && what.width == 0x7fffffff) {
            char *end;
            double value = strtod(p, &end);
            if (end == p)
                return count;
            p = end;
            if (what.stored && what.size == 4)
                *__builtin_va_arg(list, float *) = (float)value;
            else if (what.stored)
                *__builtin_va_arg(list, double *) = value;
        } else {
            __gordian_unsupported("`sscanf` with this format");
        }
        count += what.stored;
    }
    return count;
}

int sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int count = __gordian_scan_string(s, format, list, 0);
    __builtin_va_end(list);
    return count;
}

int __isoc99_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int count = __gordian_scan_string(s, format, list, 0);
    __builtin_va_end(list);
    return count;
}

int __isoc23_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int count = __gordian_scan_string(s, format, list, 1);
    __builtin_va_end(list);
    return count;
}

int fgetc(struct __gordian_stream *stream) { return __gordian_get(stream); }
int getc(struct __gordian_stream *stream) { return __gordian_get(stream); }
int getchar(void) { return __gordian_get(&__gordian_streams[0]); }

/* With and without the lock of the stream. */
void __gordian_use_locked(struct __gordian_stream *stream)
{
    if (stream != 0)
        __gordian_set_state(stream, 0);
}
void __gordian_use_locked_output(void) { __gordian_use_locked(&__gordian_streams[1]); }
void __gordian_use_unlocked(struct __gordian_stream *stream) { stream->state = stream->state; }
void __gordian_use_unlocked_output(void) { __gordian_use_unlocked(&__gordian_streams[1]); }

int getc_unlocked(struct __gordian_stream *stream)
{
    __gordian_use_unlocked(stream);
    return __gordian_get(stream);
}
int fgetc_unlocked(struct __gordian_stream *stream) { return getc_unlocked(stream); }
int getchar_unlocked(void) { return getc_unlocked(&__gordian_streams[0]); }

static int __gordian_outside_ungetc(int character, int stream) { return __VERIFIER_nondet_int(); }
int ungetc(int character, struct __gordian_stream *stream)
{
    int number = stream->number, state = __gordian_state(stream);
    if (character == -1)
        return -1;
    if (state & __gordian_has_pushed)
        __gordian_unsupported("two characters that are given back to a stream");
    __gordian_outside_ungetc(character, number);
    __atomic_store_n(&stream->pushed, (unsigned char)character, 0);
    __gordian_clear_state(stream, __gordian_at_end);
    __gordian_set_state(stream, __gordian_has_pushed);
    return (unsigned char)character;
}

/* A line ends with its newline, if it has one, and is complete then. `first` is its first character, if that is known. */
static long __gordian_take_line(char *target, long length, char end, int first, int *complete)
{
    unsigned long long bytes = 0;
    long i = 0;
    *complete = 0;
    while (i < length) {
        if (i % 8 == 0)
            bytes = __gordian_outside_bytes(i);
        char c = i == 0 && first >= 0 ? (char)first : (char)bytes;
        target[i] = c;
        i++;
        if (c == end) {
            *complete = 1;
            break;
        }
        bytes = bytes >> 8;
    }
    target[i] = 0;
    return i;
}

/* At an error what has been read so far stays; its length is what lies below -2. */
char *fgets(char *target, int size, struct __gordian_stream *stream)
{
    int number = stream->number, state = __gordian_state(stream);
    if (size <= 0)
        return 0;
    long length = __gordian_outside_fgets(number, size);
    if (size == 1) {
        target[0] = 0;
        return target;
    }
    int pushed = __gordian_take_pushed(stream, state);
    if (pushed < 0 && (state & __gordian_at_end))
        return 0;
    if (pushed >= 0 && length <= 0)
        length = 1;
    if (length <= 0) {
        long partial = length < -1 ? -(length + 2) : 0;
        __gordian_take_bytes(target, partial < size ? partial : size - 1);
        __gordian_nothing_read(stream, length);
        return 0;
    }
    if (length >= size)
        length = size - 1;
    int complete;
    length = __gordian_take_line(target, length, '\n', pushed, &complete);
    __gordian_advance(stream, pushed < 0 ? length : length - 1);
    if (length < size - 1 && !complete)
        __gordian_set_state(stream, __gordian_at_end);
    return target;
}

/* A negative length: an error after fewer bytes than its magnitude. */
unsigned long fread(void *target, unsigned long size, unsigned long count, struct __gordian_stream *stream)
{
    int number = stream->number, state = __gordian_state(stream);
    unsigned long all = size * count;
    if (all == 0)
        return 0;
    long length = __gordian_outside_fread(number, (long)all);
    if (state & (__gordian_has_pushed | __gordian_at_end)) {
        int pushed = __gordian_take_pushed(stream, state);
        if (pushed < 0)
            return 0;
        if (all > 1)
            __gordian_unsupported("`fread` of a character that was given back and of others");
        *(unsigned char *)target = (unsigned char)pushed;
        return count;
    }
    if (length >= 0 && (unsigned long)length >= all) {
        __gordian_take_bytes(target, (long)all);
        __gordian_advance(stream, (long)all);
        return count;
    }
    __gordian_nothing_read(stream, length < 0 ? -2 : -1);
    if (length < 0) {
        length = -(length + 1);
        if ((unsigned long)length >= all)
            length = 0;
    }
    __gordian_take_bytes(target, length);
    __gordian_advance(stream, length);
    return (unsigned long)length / size;
}

/* As in glibc, a line has room of its own even if nothing can be read. */
long getdelim(char **line, unsigned long *room, int delimiter, struct __gordian_stream *stream)
{
    int number = stream->number, state = __gordian_state(stream);
    long length = __gordian_outside_getline(number, delimiter);
    char *old = *line;
    unsigned long size = *room;
    int pushed = __gordian_take_pushed(stream, state);
    if (length <= 0 || length > 0x7fffffff)
        length = pushed >= 0 ? 1 : length < -1 ? -2 : -1;
    if (pushed < 0 && (state & __gordian_at_end))
        length = -1;
    unsigned long needed = length < 120 ? 120 : (unsigned long)length + 1;
    if (old == 0 || size == 0 || length > 0 && size < (unsigned long)length + 1) {
        free(old);
        old = malloc(needed);
        if (old == 0) {
            *room = 0;
            *line = 0;
            return -1;
        }
        *room = needed;
        *line = old;
    }
    if (length < 0) {
        __gordian_nothing_read(stream, length);
        return -1;
    }
    int complete;
    length = __gordian_take_line(old, length, (char)delimiter, pushed, &complete);
    __gordian_advance(stream, pushed < 0 ? length : length - 1);
    if (!complete)
        __gordian_set_state(stream, __gordian_at_end);
    return length;
}

long getline(char **line, unsigned long *room, struct __gordian_stream *stream) { return getdelim(line, room, '\n', stream); }

int feof(struct __gordian_stream *stream)
{
    int number = stream->number;
    return __gordian_any_truth((__gordian_state(stream) & __gordian_at_end) != 0);
}

int ferror(struct __gordian_stream *stream)
{
    int number = stream->number, fails = (__gordian_state(stream) & __gordian_in_error) != 0;
    if (fails == 0 && __atomic_load_n(&__gordian_flush_has_failed, 0) != 0)
        fails = __gordian_choice() != 0;
    return __gordian_any_truth(fails);
}

void __gordian_tell_clearerr(int stream) {}
void clearerr(struct __gordian_stream *stream)
{
    __gordian_tell_clearerr(stream->number);
    __gordian_clear_state(stream, __gordian_at_end | __gordian_in_error);
}

/* Whether there is anything to scan. */
int __gordian_begin_scan(struct __gordian_stream *stream)
{
    int state = __gordian_state(stream);
    if (state & __gordian_has_pushed)
        __gordian_unsupported("scanning a character that was given back");
    return (state & __gordian_at_end) == 0;
}

void __gordian_end_scan(struct __gordian_stream *stream, int count)
{
    int seen = __gordian_outside_indicators(stream->number) & (__gordian_at_end | __gordian_in_error);
    __gordian_lose_position(stream);
    if (count < 0 && seen == 0)
        seen = __gordian_at_end;
    if (seen != 0)
        __gordian_set_state(stream, seen);
    if (seen & __gordian_in_error)
        __gordian_any_error();
}

int __gordian_begin_scan_in(void) { return __gordian_begin_scan(&__gordian_streams[0]); }
void __gordian_end_scan_in(int count) { __gordian_end_scan(&__gordian_streams[0], count); }

/* Equal seeds give equal sequences, of which nothing is remembered. The first one is that of the seed 1; a sequence of which
   nothing was taken does not count. */
static int __gordian_seed_used, __gordian_seed_taken, __gordian_seed_again;
static unsigned __gordian_seed_now = 1, __gordian_seeds[4];

static void __gordian_new_seed(unsigned seed)
{
    if (__atomic_load_n(&__gordian_seed_taken, 0) != 0) {
        int used = __atomic_fetch_add(&__gordian_seed_used, 1, 0);
        if (used < 4)
            __atomic_store_n(&__gordian_seeds[used], __atomic_load_n(&__gordian_seed_now, 0), 0);
        else
            __atomic_store_n(&__gordian_seed_again, 1, 0);
        for (int i = 0; i < 4 && i <= used; i++)
            if (__atomic_load_n(&__gordian_seeds[i], 0) == seed)
                __atomic_store_n(&__gordian_seed_again, 1, 0);
        __atomic_store_n(&__gordian_seed_taken, 0, 0);
    }
    __atomic_store_n(&__gordian_seed_now, seed, 0);
}

static int __gordian_random(void)
{
    int number = __gordian_outside_rand() & 0x7fffffff;
    if (__atomic_load_n(&__gordian_seed_taken, 0) == 0)
        __atomic_store_n(&__gordian_seed_taken, 1, 0);
    if (__atomic_load_n(&__gordian_seed_again, 0) != 0)
        __gordian_unsupported("a sequence of random numbers that begins again");
    return number;
}

int rand(void) { return __gordian_random(); }
long random(void) { return __gordian_random(); }

static unsigned __gordian_next_seed(unsigned seed) { return seed * 1103515245u + 12345u; }

/* As in glibc. */
int rand_r(unsigned *seed)
{
    unsigned first = __gordian_next_seed(*seed), second = __gordian_next_seed(first), third = __gordian_next_seed(second);
    *seed = third;
    return (int)((first >> 16 & 2047u) << 20 ^ (second >> 16 & 1023u) << 10 ^ (third >> 16 & 1023u));
}

/* What POSIX says of a seed; without one, any numbers. */
extern double __VERIFIER_nondet_double(void);
char __gordian_drand48;
static int __gordian_seeded48;
static unsigned long long __gordian_state48;
static double __gordian_outside_drand48(void) { return __VERIFIER_nondet_double(); }
static long __gordian_outside_lrand48(void) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_mrand48(void) { return __VERIFIER_nondet_long(); }

static unsigned long long __gordian_next48(void)
{
    __gordian_state48 = (__gordian_state48 * 0x5deece66dull + 11) & 0xffffffffffffull;
    return __gordian_state48;
}

double drand48(void)
{
    double number = __gordian_outside_drand48();
    __gordian_drand48 = 0;
    if (__gordian_seeded48)
        return (double)__gordian_next48() / 281474976710656.0;
    return number >= 0.0 && number < 1.0 ? number : 0.5;
}

long lrand48(void)
{
    long number = __gordian_outside_lrand48();
    __gordian_drand48 = 0;
    if (__gordian_seeded48)
        return (long)(__gordian_next48() >> 17);
    return number & 0x7fffffff;
}

long mrand48(void)
{
    long number = __gordian_outside_mrand48();
    __gordian_drand48 = 0;
    if (__gordian_seeded48)
        return (int)(__gordian_next48() >> 16);
    return (int)number;
}

void __gordian_tell_srand(unsigned seed) {}
void srand(unsigned seed)
{
    __gordian_tell_srand(seed);
    __gordian_new_seed(seed);
}
void srandom(unsigned seed) { srand(seed); }
void srand48(long seed)
{
    __gordian_drand48 = 0;
    __gordian_seeded48 = 1;
    __gordian_state48 = (unsigned long long)(unsigned)seed << 16 | 0x330e;
}
