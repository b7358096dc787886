// A variadic function that is called as if it were none: where it looks for its arguments is not where they are.
// EXPECT unknown
#include <assert.h>
#include <stdarg.h>

int first(int count, ...)
{
    va_list list;
    va_start(list, count);
    int *result = va_arg(list, int *);
    va_end(list);
    return *result;
}

int (*by_pointer)(int, int **) = (int (*)(int, int **))first;

int main(void)
{
    int number = 7, *pointer = &number;
    assert(by_pointer(1, &pointer) == 7);
    return 0;
}
