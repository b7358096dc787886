// EXPECT proved
#include <assert.h>

extern int *pointer;
int *copy;

int main(void)
{
    copy = pointer;
    assert((copy == 0) == (pointer == 0));
    return 0;
}
