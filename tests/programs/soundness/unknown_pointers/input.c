// EXPECT unknown
#include <assert.h>

int *nondet_pointer(void);

int main(void)
{
    int *pointer = nondet_pointer();
    if (pointer)
        assert(*pointer == 0);
    return 0;
}
