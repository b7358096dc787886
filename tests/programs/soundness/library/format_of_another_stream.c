// A format that is no literal is followed on its way to any stream.
// PROPERTY valid-deref
// EXPECT violated
// ENGINES unknown what such formats read is not followed
// TREES unknown what such formats read is not followed
#include <stdarg.h>
#include <stdio.h>

static void complain(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list); // VIOLATION
    va_end(list);
}

int main(void)
{
    char unfinished[2] = {'a', 'b'};
    complain("%s\n", unfinished);
    return 0;
}
