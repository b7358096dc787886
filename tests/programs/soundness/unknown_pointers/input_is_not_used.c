// EXPECT proved
#include <assert.h>

int *nondet_pointer(void);
int x;

int main(void)
{
    int *pointer = nondet_pointer();
    if (pointer)
        pointer = &x;
    if (pointer)
        assert(*pointer == 0);
    return 0;
}
