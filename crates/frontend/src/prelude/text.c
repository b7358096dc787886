/* What printing a string reads. */
void __gordian_read_string(const char *s, unsigned long limit)
{
    unsigned long n = 0;
    while (n < limit && s[n] != 0)
        n++;
}

/* `sprintf` and relatives, piece by piece. `position` counts what the whole text has so far, also beyond `size`. */

unsigned long __gordian_put_char(char *buffer, unsigned long size, unsigned long position, int c)
{
    if (position + 1 < size)
        buffer[position] = (char)c;
    return position + 1;
}

/* At most `limit` characters; a negative width pads on the right. */
unsigned long __gordian_put_string(char *buffer, unsigned long size, unsigned long position, const char *s,
                                   unsigned long limit, int width)
{
    unsigned long n = 0;
    if (width > 0)
        for (unsigned long padded = strnlen(s, limit); padded < (unsigned long)width; padded++)
            position = __gordian_put_char(buffer, size, position, ' ');
    while (n < limit && s[n] != 0) {
        position = __gordian_put_char(buffer, size, position, s[n]);
        if (size > 1 && s + n == buffer)
            __gordian_overlap();
        n++;
    }
    if (width < 0)
        for (; n < (unsigned long)-width; n++)
            position = __gordian_put_char(buffer, size, position, ' ');
    return position;
}

/* `digits` has the last digit first. */
static unsigned long __gordian_put_digits(char *buffer, unsigned long size, unsigned long position, const char *digits,
                                          int n, int negative, int width, int zeros)
{
    int length = n + negative;
    if (!zeros)
        for (int padded = length; padded < width; padded++)
            position = __gordian_put_char(buffer, size, position, ' ');
    if (negative)
        position = __gordian_put_char(buffer, size, position, '-');
    if (zeros)
        for (int padded = length; padded < width; padded++)
            position = __gordian_put_char(buffer, size, position, '0');
    while (n > 0) {
        n--;
        position = __gordian_put_char(buffer, size, position, digits[n]);
    }
    for (int padded = length; padded < -width; padded++)
        position = __gordian_put_char(buffer, size, position, ' ');
    return position;
}

static char __gordian_shown_digit(unsigned value, int letter)
{
    return (char)(value < 10 ? '0' + (int)value : letter + (int)(value - 10));
}

/* `letter` is the digit ten of bases above ten. Most numbers are narrow, and dividing these is easier to reason about. */
unsigned long __gordian_put_narrow(char *buffer, unsigned long size, unsigned long position, unsigned magnitude,
                                   int negative, unsigned base, int letter, int width, int zeros)
{
    char digits[12];
    int n = 0;
    do {
        digits[n] = __gordian_shown_digit(magnitude % base, letter);
        magnitude /= base;
        n++;
    } while (magnitude != 0);
    return __gordian_put_digits(buffer, size, position, digits, n, negative, width, zeros);
}

unsigned long __gordian_put_wide(char *buffer, unsigned long size, unsigned long position, unsigned long long magnitude,
                                 int negative, unsigned base, int letter, int width, int zeros)
{
    char digits[24];
    int n = 0;
    do {
        digits[n] = __gordian_shown_digit((unsigned)(magnitude % base), letter);
        magnitude /= base;
        n++;
    } while (magnitude != 0);
    return __gordian_put_digits(buffer, size, position, digits, n, negative, width, zeros);
}

unsigned long __gordian_put_int(char *buffer, unsigned long size, unsigned long position, int value, int width, int zeros)
{
    int negative = value < 0;
    unsigned magnitude = negative ? -(unsigned)value : (unsigned)value;
    return __gordian_put_narrow(buffer, size, position, magnitude, negative, 10, 'a', width, zeros);
}

unsigned long __gordian_put_long(char *buffer, unsigned long size, unsigned long position, long long value, int width,
                                 int zeros)
{
    int negative = value < 0;
    unsigned long long magnitude = negative ? -(unsigned long long)value : (unsigned long long)value;
    return __gordian_put_wide(buffer, size, position, magnitude, negative, 10, 'a', width, zeros);
}

int __gordian_end_text(char *buffer, unsigned long size, unsigned long position)
{
    if (size > 0)
        buffer[position < size ? position : size - 1] = 0;
    return (int)position;
}

/* A string that is printed must not lie where the text has been written. */
void __gordian_keep_apart(const char *buffer, unsigned long size, unsigned long position, const char *s)
{
    for (unsigned long i = 0; i <= position && i < size; i++)
        if (buffer + i == s)
            __gordian_overlap();
}
