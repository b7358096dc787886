// PROPERTY valid-deref
// EXPECT proved
#include <stdarg.h>

struct pair { int one, other; };

static int list_sum(int count, va_list arguments)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(arguments, struct pair).other;
    return sum;
}

static int sum(int count, ...)
{
    va_list arguments;
    va_start(arguments, count);
    int result = list_sum(count, arguments);
    va_end(arguments);
    return result;
}

int main(void)
{
    struct pair pair = {1, 2};
    int total = 0;
    for (int round = 0; round < 2; round++)
        total += sum(2, pair, (struct pair){round, sum(1, pair)});
    return total;
}
