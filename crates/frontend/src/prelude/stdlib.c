extern int __gordian_choice(void);
extern void __gordian_read_bytes(const char *bytes, unsigned long size);
extern void __gordian_update_bytes(char *bytes, unsigned long size);

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
double fabs(double x) { return x < 0 ? -x : x == 0 ? 0.0 : x; }
float fabsf(float x) { return x < 0 ? -x : x == 0 ? 0.0f : x; }

/* Characters of the locale "C". */
static int __gordian_is_digit(int c) { return c >= '0' && c <= '9'; }
static int __gordian_is_lower(int c) { return c >= 'a' && c <= 'z'; }
static int __gordian_is_upper(int c) { return c >= 'A' && c <= 'Z'; }
static int __gordian_is_letter(int c) { return __gordian_is_lower(c) || __gordian_is_upper(c); }
static int __gordian_is_space(int c) { return c == ' ' || c >= '\t' && c <= '\r'; }
static int __gordian_is_graph(int c) { return c > 32 && c < 127; }

/* Any number but zero stands for yes. */
int __gordian_any_truth(int yes)
{
    if (!yes)
        return 0;
    int answer = __gordian_choice();
    return answer != 0 ? answer : 1;
}

/* Beyond ASCII the locale decides. */
static int __gordian_answer(int c, int yes)
{
    if (c > 127 || c < -1)
        __gordian_need_c_locale();
    return __gordian_any_truth(yes);
}

int isdigit(int c) { return __gordian_answer(c, __gordian_is_digit(c)); }
int islower(int c) { return __gordian_answer(c, __gordian_is_lower(c)); }
int isupper(int c) { return __gordian_answer(c, __gordian_is_upper(c)); }
int isalpha(int c) { return __gordian_answer(c, __gordian_is_letter(c)); }
int isalnum(int c) { return __gordian_answer(c, __gordian_is_letter(c) || __gordian_is_digit(c)); }
int isspace(int c) { return __gordian_answer(c, __gordian_is_space(c)); }
int isblank(int c) { return __gordian_answer(c, c == ' ' || c == '\t'); }
int iscntrl(int c) { return __gordian_answer(c, c >= 0 && c < 32 || c == 127); }
int isprint(int c) { return __gordian_answer(c, c >= 32 && c < 127); }
int isgraph(int c) { return __gordian_answer(c, __gordian_is_graph(c)); }
int ispunct(int c)
{
    return __gordian_answer(c, __gordian_is_graph(c) && !__gordian_is_letter(c) && !__gordian_is_digit(c));
}
int isxdigit(int c) { return __gordian_answer(c, __gordian_is_digit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'); }
int isascii(int c) { return c >= 0 && c < 128; }

int tolower(int c)
{
    if (c > 127)
        __gordian_need_c_locale();
    return __gordian_is_upper(c) ? c + 32 : c;
}

int toupper(int c)
{
    if (c > 127)
        __gordian_need_c_locale();
    return __gordian_is_lower(c) ? c - 32 : c;
}

static int __gordian_digit(int c)
{
    if (__gordian_is_digit(c))
        return c - '0';
    if (__gordian_is_lower(c))
        return c - 'a' + 10;
    if (__gordian_is_upper(c))
        return c - 'A' + 10;
    return 99;
}

extern int *__errno_location(void);

/* The magnitude, and whether it has a sign; *end is where the number ends, or the start if there is none. `binary`: C23's
   prefix of binary numbers is one. */
static unsigned long long __gordian_scan(const char *s, char **end, int base, int binary, int *negative, int *overflow)
{
    const char *p = s;
    unsigned long long value = 0;
    int any = 0;
    *negative = 0;
    *overflow = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22;
        return 0;
    }
    while (__gordian_is_space((unsigned char)*p))
        p++;
    if (*p == '-' || *p == '+') {
        *negative = *p == '-';
        p++;
    }
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && __gordian_digit((unsigned char)p[2]) < 16) {
        base = 16;
        p += 2;
    } else if (binary && (base == 0 || base == 2) && p[0] == '0' && (p[1] == 'b' || p[1] == 'B') && (p[2] == '0' || p[2] == '1')) {
        base = 2;
        p += 2;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    for (;; p++) {
        int digit = __gordian_digit((unsigned char)*p);
        if (digit >= base)
            break;
        if (value > (0xffffffffffffffffull - digit) / base)
            *overflow = 1;
        value = value * base + digit;
        any = 1;
    }
    if (end)
        *end = (char *)(any ? p : s);
    return value;
}

/* A number between -most - 1 and most; beyond that the nearest of these, and ERANGE. */
static long long __gordian_signed(const char *s, char **end, int base, int binary, unsigned long long most)
{
    int negative, overflow;
    unsigned long long value = __gordian_scan(s, end, base, binary, &negative, &overflow);
    if (negative)
        most++;
    if (overflow || value > most) {
        *__errno_location() = 34;
        value = most;
    }
    return (long long)(negative ? -value : value);
}

/* As above, from 0 to most; a sign negates. */
static unsigned long long __gordian_unsigned(const char *s, char **end, int base, int binary, unsigned long long most)
{
    int negative, overflow;
    unsigned long long value = __gordian_scan(s, end, base, binary, &negative, &overflow);
    if (overflow || value > most) {
        *__errno_location() = 34;
        return most;
    }
    return negative ? -value : value;
}

long long strtoll(const char *s, char **end, int base) { return __gordian_signed(s, end, base, 0, 0x7fffffffffffffffull); }
long strtol(const char *s, char **end, int base) { return (long)__gordian_signed(s, end, base, 0, (unsigned long)-1 >> 1); }

unsigned long long strtoull(const char *s, char **end, int base)
{
    return __gordian_unsigned(s, end, base, 0, 0xffffffffffffffffull);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    return (unsigned long)__gordian_unsigned(s, end, base, 0, (unsigned long)-1);
}

/* What the headers of the GNU library make of them where C23 is asked for. */
long long __isoc23_strtoll(const char *s, char **end, int base)
{
    return __gordian_signed(s, end, base, 1, 0x7fffffffffffffffull);
}

long __isoc23_strtol(const char *s, char **end, int base)
{
    return (long)__gordian_signed(s, end, base, 1, (unsigned long)-1 >> 1);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    return __gordian_unsigned(s, end, base, 1, 0xffffffffffffffffull);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
    return (unsigned long)__gordian_unsigned(s, end, base, 1, (unsigned long)-1);
}

int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

/* Decimal numbers that one rounding gives exactly: up to 15 digits and powers of ten up to 22. */
double strtod(const char *s, char **end)
{
    static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = s;
    __gordian_need_c_locale();
    while (__gordian_is_space((unsigned char)*p))
        p++;
    int negative = *p == '-', any = 0, exponent = 0;
    unsigned long long digits = 0;
    if (*p == '-' || *p == '+')
        p++;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') || (*p | 32) == 'i' || (*p | 32) == 'n')
        __gordian_unsupported("a number that is not decimal as text");
    for (int fraction = 0;; p++) {
        if (*p == '.' && !fraction) {
            fraction = 1;
            continue;
        }
        if (!__gordian_is_digit((unsigned char)*p))
            break;
        any = 1;
        if (digits == 0 && *p == '0') {
            exponent -= fraction;
            continue;
        }
        if (digits >= 100000000000000ull && (*p != '0' || fraction)) {
            if (*p != '0')
                __gordian_unsupported("a number of more than 15 digits as text");
            continue;
        }
        if (digits >= 100000000000000ull) {
            exponent++;
            continue;
        }
        digits = digits * 10 + (unsigned long long)(*p - '0');
        exponent -= fraction;
    }
    if (!any) {
        if (end)
            *end = (char *)s;
        return 0.0;
    }
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        int down = *q == '-', power = 0;
        if (*q == '-' || *q == '+')
            q++;
        if (__gordian_is_digit((unsigned char)*q)) {
            for (; __gordian_is_digit((unsigned char)*q); q++)
                if (power < 1000)
                    power = power * 10 + (*q - '0');
            exponent += down ? -power : power;
            p = q;
        }
    }
    if (end)
        *end = (char *)p;
    if (digits == 0)
        return negative ? -0.0 : 0.0;
    if (exponent < -22 || exponent > 22)
        __gordian_unsupported("a number of this size as text");
    double value = (double)digits;
    value = exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
    return negative ? -value : value;
}

double atof(const char *s) { return strtod(s, 0); }

/* Insertion sort; elements that compare equal come in any order. */
void qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    char *elements = base;
    if (count == 0 || size == 0)
        return;
    __gordian_update_bytes(elements, count * size);
    for (unsigned long i = 1; i < count; i++)
        for (unsigned long j = i; j > 0; j--) {
            char *left = elements + (j - 1) * size, *right = left + size;
            int order = compare(left, right);
            if (order < 0 || order == 0 && __VERIFIER_nondet_int() == 0)
                break;
            for (unsigned long k = 0; k < size; k++) {
                char c = left[k];
                left[k] = right[k];
                right[k] = c;
            }
        }
}

/* Which one of several equal elements is found is not specified. */
static void *__gordian_any_equal(const void *key, const void *base, unsigned long found, unsigned long count,
                                 unsigned long size, int (*compare)(const void *, const void *))
{
    unsigned long other = (unsigned long)__gordian_choice();
    if (other != 0 && other < count && compare(key, (const char *)base + other * size) == 0)
        found = other;
    else if (other == (unsigned long)-1 && found > 0 && compare(key, base) == 0)
        found = 0;
    return (char *)base + found * size;
}

void *bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *))
{
    unsigned long low = 0, high = count;
    __gordian_read_bytes(base, count * size);
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return __gordian_any_equal(key, base, middle, count, size, compare);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* The tables behind the macros of <ctype.h>, indexed from -128 to 255. */
static const unsigned short __gordian_ctype[384] = {
    [128 ... 136] = 0x0002, [137] = 0x2003, [138 ... 141] = 0x2002, [142 ... 159] = 0x0002, [160] = 0x6001,
    [161 ... 175] = 0xc004, [176 ... 185] = 0xd808, [186 ... 192] = 0xc004, [193 ... 198] = 0xd508,
    [199 ... 218] = 0xc508, [219 ... 224] = 0xc004, [225 ... 230] = 0xd608, [231 ... 250] = 0xc608,
    [251 ... 254] = 0xc004, [255] = 0x0002,
};

const unsigned short **__ctype_b_loc(void)
{
    static const unsigned short *const table = __gordian_ctype + 128;
    __gordian_need_c_locale();
    return (const unsigned short **)&table;
}
