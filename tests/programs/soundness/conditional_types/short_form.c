// An arm that is never chosen takes part in the type of the short form, too.
// EXPECT proved
#include <assert.h>

int main(void)
{
    assert((0u ?: -1) > 0);
    assert(sizeof(1 ?: 2L) == sizeof(long));
    int number = 0;
    const int *constant = 0;
    assert(_Generic(&number ?: constant, const int *: 1, int *: 0));
    return 0;
}
