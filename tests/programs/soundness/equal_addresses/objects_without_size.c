// EXPECT unknown
#include <assert.h>

struct nothing {};

int are_equal(void *one, void *other) { return one == other; }

int main(void)
{
    struct nothing one, other;
    assert(!are_equal(&one, &other));
    return 0;
}
