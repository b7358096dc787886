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

int __gordian_sign_of_strcmp(const char *a, const char *b)
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

int __gordian_sign_of_strncmp(const char *a, const char *b, unsigned long n)
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

int __gordian_sign_of_strcasecmp(const char *a, const char *b)
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

int __gordian_sign_of_strncasecmp(const char *a, const char *b, unsigned long n)
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

/* Only the sign of the result of a comparison is specified. */
extern int __gordian_any_magnitude(int value);
int strcmp(const char *a, const char *b) { return __gordian_any_magnitude(__gordian_sign_of_strcmp(a, b)); }
int strncmp(const char *a, const char *b, unsigned long n) { return __gordian_any_magnitude(__gordian_sign_of_strncmp(a, b, n)); }
int strcasecmp(const char *a, const char *b) { return __gordian_any_magnitude(__gordian_sign_of_strcasecmp(a, b)); }
int strncasecmp(const char *a, const char *b, unsigned long n)
{
    return __gordian_any_magnitude(__gordian_sign_of_strncasecmp(a, b, n));
}

void *memcpy(void *target, const void *source, unsigned long n);

/* What copying between areas that overlap is. */
void __gordian_overlap(void)
{
    char area[3];
    memcpy(area, area + 1, 2);
}

/* Areas that are accessed byte by byte from their beginnings overlap as soon as one of them comes to where the other begins.
   Both have been accessed there. */
static void __gordian_apart(const char *target, const char *source, unsigned long i)
{
    if (target + i == source || source + i == target)
        __gordian_overlap();
}

char *strcpy(char *target, const char *source)
{
    unsigned long i = 0;
    char c;
    do {
        c = source[i];
        target[i] = c;
        __gordian_apart(target, source, i);
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
        __gordian_apart(target, source, i);
        i++;
    }
    unsigned long length = i;
    while (i < n) {
        target[i] = 0;
        if (i == length)
            __gordian_apart(target, source, i);
        else if (target + i == source)
            __gordian_overlap();
        i++;
    }
    return target;
}

static void __gordian_append(char *end, const char *source, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && source[i] != 0) {
        end[i] = source[i];
        __gordian_apart(end, source, i);
        i++;
    }
    end[i] = 0;
    if (i < n)
        __gordian_apart(end, source, i);
    else if (n > 0 && end + n == source)
        __gordian_overlap();
}

char *strcat(char *target, const char *source)
{
    __gordian_append(target + strlen(target), source, (unsigned long)-1);
    return target;
}

char *strncat(char *target, const char *source, unsigned long n)
{
    __gordian_append(target + strlen(target), source, n);
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

extern void __gordian_read_string(const char *s, unsigned long limit);

/* A set of characters is a string, whatever is looked for. */
unsigned long strspn(const char *s, const char *accept)
{
    unsigned long n = 0;
    __gordian_read_string(accept, (unsigned long)-1);
    while (s[n] != 0 && strchr(accept, s[n]) != 0)
        n++;
    return n;
}

unsigned long strcspn(const char *s, const char *reject)
{
    unsigned long n = 0;
    __gordian_read_string(reject, (unsigned long)-1);
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
        if (__gordian_sign_of_strncmp(s, part, n) == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

void *malloc(unsigned long size);

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

/* As in glibc: after the last token the end of the text is next, and without a text there is none to look at. */
char *strtok_r(char *s, const char *separators, char **next)
{
    if (s == 0)
        s = *next;
    s += strspn(s, separators);
    if (*s == 0) {
        *next = s;
        return 0;
    }
    char *end = s + strcspn(s, separators);
    if (*end == 0) {
        *next = end;
    } else {
        *end = 0;
        *next = end + 1;
    }
    return s;
}

static char *__gordian_strtok_next;

char *strtok(char *s, const char *separators) { return strtok_r(s, separators, &__gordian_strtok_next); }

/* All bytes are compared, whichever differ first. */
int __gordian_sign_of_memcmp(const void *a, const void *b, unsigned long n)
{
    const unsigned char *p = a, *q = b;
    int order = 0;
    for (unsigned long i = 0; i < n; i++) {
        int x = p[i], y = q[i];
        if (order == 0)
            order = x - y;
    }
    return order;
}

int memcmp(const void *a, const void *b, unsigned long n)
{
    return __gordian_any_magnitude(__gordian_sign_of_memcmp(a, b, n));
}

/* Zero or not zero. */
int __gordian_sign_of_bcmp(const void *a, const void *b, unsigned long n) { return __gordian_sign_of_memcmp(a, b, n); }

int bcmp(const void *a, const void *b, unsigned long n)
{
    int sign = __gordian_sign_of_memcmp(a, b, n), answer = __gordian_choice();
    return sign == 0 ? 0 : answer != 0 ? answer : sign;
}

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

/* The texts of Linux. */
static const char *const __gordian_error_texts[134] = {
    "Success", "Operation not permitted", "No such file or directory", "No such process", "Interrupted system call",
    "Input/output error", "No such device or address", "Argument list too long", "Exec format error", "Bad file descriptor",
    "No child processes", "Resource temporarily unavailable", "Cannot allocate memory", "Permission denied", "Bad address",
    "Block device required", "Device or resource busy", "File exists", "Invalid cross-device link", "No such device",
    "Not a directory", "Is a directory", "Invalid argument", "Too many open files in system", "Too many open files",
    "Inappropriate ioctl for device", "Text file busy", "File too large", "No space left on device", "Illegal seek",
    "Read-only file system", "Too many links", "Broken pipe", "Numerical argument out of domain",
    "Numerical result out of range", "Resource deadlock avoided", "File name too long", "No locks available",
    "Function not implemented", "Directory not empty", "Too many levels of symbolic links", 0, "No message of desired type",
    "Identifier removed", "Channel number out of range", "Level 2 not synchronized", "Level 3 halted", "Level 3 reset",
    "Link number out of range", "Protocol driver not attached", "No CSI structure available", "Level 2 halted",
    "Invalid exchange", "Invalid request descriptor", "Exchange full", "No anode", "Invalid request code", "Invalid slot",
    0, "Bad font file format", "Device not a stream", "No data available", "Timer expired", "Out of streams resources",
    "Machine is not on the network", "Package not installed", "Object is remote", "Link has been severed",
    "Advertise error", "Srmount error", "Communication error on send", "Protocol error", "Multihop attempted",
    "RFS specific error", "Bad message", "Value too large for defined data type", "Name not unique on network",
    "File descriptor in bad state", "Remote address changed", "Can not access a needed shared library",
    "Accessing a corrupted shared library", ".lib section in a.out corrupted",
    "Attempting to link in too many shared libraries", "Cannot exec a shared library directly",
    "Invalid or incomplete multibyte or wide character", "Interrupted system call should be restarted",
    "Streams pipe error", "Too many users", "Socket operation on non-socket", "Destination address required",
    "Message too long", "Protocol wrong type for socket", "Protocol not available", "Protocol not supported",
    "Socket type not supported", "Operation not supported", "Protocol family not supported",
    "Address family not supported by protocol", "Address already in use", "Cannot assign requested address",
    "Network is down", "Network is unreachable", "Network dropped connection on reset", "Software caused connection abort",
    "Connection reset by peer", "No buffer space available", "Transport endpoint is already connected",
    "Transport endpoint is not connected", "Cannot send after transport endpoint shutdown",
    "Too many references: cannot splice", "Connection timed out", "Connection refused", "Host is down", "No route to host",
    "Operation already in progress", "Operation now in progress", "Stale file handle", "Structure needs cleaning",
    "Not a XENIX named type file", "No XENIX semaphores available", "Is a named type file", "Remote I/O error",
    "Disk quota exceeded", "No medium found", "Wrong medium type", "Operation canceled", "Required key not available",
    "Key has expired", "Key has been revoked", "Key was rejected by service", "Owner died", "State not recoverable",
    "Operation not possible due to RF-kill", "Memory page has hardware error",
};

/* Where the text of an unknown error stands. */
static char __gordian_error_text[32];
extern int sprintf(char *target, const char *format, ...);

char *strerror(int error)
{
    __gordian_error_text[0] = 0;
    __gordian_need_c_locale();
    if (error >= 0 && error < 134 && __gordian_error_texts[error] != 0)
        return (char *)__gordian_error_texts[error];
    sprintf(__gordian_error_text, "Unknown error %d", error);
    return __gordian_error_text;
}

/* What `%m` prints. */
const char *__gordian_error_message(void)
{
    int error = *__errno_location();
    __gordian_need_c_locale();
    if (error >= 0 && error < 134 && __gordian_error_texts[error] != 0)
        return __gordian_error_texts[error];
    __gordian_unsupported("the text of an unknown error");
    return "";
}
