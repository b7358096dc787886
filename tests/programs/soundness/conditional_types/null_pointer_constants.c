// Only what is written as one is a null pointer constant, not every pointer that is null.
// EXPECT proved
#include <assert.h>

int main(void)
{
    int zero = 0, *none = 0;
    void *empty = (void *)0;
    assert(_Generic(zero ? none : empty, void *: 1, int *: 0));
    assert(_Generic(zero ? none : (void *)0, int *: 1, void *: 0));
    assert(_Generic(zero ? none : (const void *)0, const void *: 1, default: 0));
    assert(sizeof(*(8 ? (void *)((long)zero * 0l) : (int *)8)) == 1);
    assert(sizeof(*(8 ? (void *)(5 * 0l) : (int *)8)) == sizeof(int));
    return 0;
}
