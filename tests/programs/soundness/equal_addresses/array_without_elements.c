// EXPECT unknown
#include <assert.h>

int are_equal(void *one, void *other) { return one == other; }

int main(void)
{
    int empty[0], number = 1;
    assert(!are_equal(empty, &number));
    return 0;
}
