unsigned long strlen(const char *s)
{
    unsigned long n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

unsigned long strnlen(const char *s, unsigned long limit)
{
    unsigned long n = 0;
    while (n < limit && s[n] != 0)
        n++;
    return n;
}

int strcmp(const char *a, const char *b)
{
    unsigned long i = 0;
    for (;;) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y)
            return x < y ? -1 : 1;
        if (x == 0)
            return 0;
        i++;
    }
}

int strncmp(const char *a, const char *b, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y)
            return x < y ? -1 : 1;
        if (x == 0)
            return 0;
    }
    return 0;
}

static int __gordian_lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int strcasecmp(const char *a, const char *b)
{
    unsigned long i = 0;
    for (;;) {
        int x = __gordian_lower((unsigned char)a[i]), y = __gordian_lower((unsigned char)b[i]);
        if (x != y)
            return x < y ? -1 : 1;
        if (x == 0)
            return 0;
        i++;
    }
}

int strncasecmp(const char *a, const char *b, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        int x = __gordian_lower((unsigned char)a[i]), y = __gordian_lower((unsigned char)b[i]);
        if (x != y)
            return x < y ? -1 : 1;
        if (x == 0)
            return 0;
    }
    return 0;
}

char *strcpy(char *target, const char *source)
{
    unsigned long i = 0;
    char c;
    do {
        c = source[i];
        target[i] = c;
        i++;
    } while (c != 0);
    return target;
}

char *stpcpy(char *target, const char *source)
{
    strcpy(target, source);
    return target + strlen(source);
}

char *strncpy(char *target, const char *source, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    while (i < n) {
        target[i] = 0;
        i++;
    }
    return target;
}

char *strcat(char *target, const char *source)
{
    strcpy(target + strlen(target), source);
    return target;
}

char *strncat(char *target, const char *source, unsigned long n)
{
    char *end = target + strlen(target);
    unsigned long i = 0;
    while (i < n && source[i] != 0) {
        end[i] = source[i];
        i++;
    }
    end[i] = 0;
    return target;
}

char *strchr(const char *s, int c)
{
    for (;; s++) {
        char x = *s;
        if (x == (char)c)
            return (char *)s;
        if (x == 0)
            return 0;
    }
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c)
{
    const char *found = 0;
    for (;; s++) {
        char x = *s;
        if (x == (char)c)
            found = s;
        if (x == 0)
            return (char *)found;
    }
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

unsigned long strspn(const char *s, const char *accept)
{
    unsigned long n = 0;
    while (s[n] != 0 && strchr(accept, s[n]) != 0)
        n++;
    return n;
}

unsigned long strcspn(const char *s, const char *reject)
{
    unsigned long n = 0;
    while (s[n] != 0 && strchr(reject, s[n]) == 0)
        n++;
    return n;
}

char *strpbrk(const char *s, const char *accept)
{
    s += strcspn(s, accept);
    return *s != 0 ? (char *)s : 0;
}

char *strstr(const char *s, const char *part)
{
    unsigned long n = strlen(part);
    for (;; s++) {
        if (strncmp(s, part, n) == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

void *malloc(unsigned long size);
void *memcpy(void *target, const void *source, unsigned long n);

char *strdup(const char *s)
{
    unsigned long n = strlen(s) + 1;
    char *copy = (char *)malloc(n);
    return copy == 0 ? copy : (char *)memcpy(copy, s, n);
}

char *strndup(const char *s, unsigned long limit)
{
    unsigned long n = strnlen(s, limit);
    char *copy = (char *)malloc(n + 1);
    if (copy == 0)
        return 0;
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *strtok_r(char *s, const char *separators, char **next)
{
    if (s == 0)
        s = *next;
    if (s == 0)
        return 0;
    s += strspn(s, separators);
    if (*s == 0) {
        *next = 0;
        return 0;
    }
    char *end = s + strcspn(s, separators);
    if (*end == 0) {
        *next = 0;
    } else {
        *end = 0;
        *next = end + 1;
    }
    return s;
}

static char *__gordian_strtok_next;

char *strtok(char *s, const char *separators) { return strtok_r(s, separators, &__gordian_strtok_next); }

int memcmp(const void *a, const void *b, unsigned long n)
{
    const unsigned char *p = a, *q = b;
    /* All bytes must be there, whichever differ first. */
    if (n > 0) {
        (void)*(const volatile unsigned char *)(p + (n - 1));
        (void)*(const volatile unsigned char *)(q + (n - 1));
    }
    for (unsigned long i = 0; i < n; i++) {
        unsigned char x = p[i], y = q[i];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

int bcmp(const void *a, const void *b, unsigned long n) { return memcmp(a, b, n); }

void *memchr(const void *s, int c, unsigned long n)
{
    const unsigned char *p = s;
    for (unsigned long i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return 0;
}

void *memrchr(const void *s, int c, unsigned long n)
{
    const unsigned char *p = s;
    while (n > 0) {
        n--;
        if (p[n] == (unsigned char)c)
            return (void *)(p + n);
    }
    return 0;
}

/* Up to the next separator; the text behind it is next. */
char *strsep(char **next, const char *separators)
{
    char *s = *next;
    if (s == 0)
        return 0;
    char *end = s + strcspn(s, separators);
    if (*end == 0) {
        *next = 0;
    } else {
        *end = 0;
        *next = end + 1;
    }
    return s;
}

/* Where the text of an unknown error would stand. */
static char __gordian_error_text;

char *strerror(int error)
{
    __gordian_error_text = 0;
    switch (error) {
    case 0: return (char *)"Success";
    case 1: return (char *)"Operation not permitted";
    case 2: return (char *)"No such file or directory";
    case 3: return (char *)"No such process";
    case 4: return (char *)"Interrupted system call";
    case 5: return (char *)"Input/output error";
    case 9: return (char *)"Bad file descriptor";
    case 11: return (char *)"Resource temporarily unavailable";
    case 12: return (char *)"Cannot allocate memory";
    case 13: return (char *)"Permission denied";
    case 16: return (char *)"Device or resource busy";
    case 17: return (char *)"File exists";
    case 20: return (char *)"Not a directory";
    case 21: return (char *)"Is a directory";
    case 22: return (char *)"Invalid argument";
    case 24: return (char *)"Too many open files";
    case 28: return (char *)"No space left on device";
    case 34: return (char *)"Numerical result out of range";
    case 35: return (char *)"Resource deadlock avoided";
    case 110: return (char *)"Connection timed out";
    default: return (char *)"Unknown error";
    }
}
