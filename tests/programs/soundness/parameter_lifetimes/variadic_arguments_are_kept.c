// The arguments that a va_list leads to end with the call.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no the compiler keeps variadic arguments elsewhere
#include <stdarg.h>

static va_list kept;

static int first(int count, ...)
{
    va_list arguments;
    va_start(arguments, count);
    va_copy(kept, arguments);
    int value = va_arg(arguments, int);
    va_end(arguments);
    return value;
}

int main(void)
{
    int value = first(2, 5, 6);
    return value + va_arg(kept, int); // VIOLATION
}
