// What is left of a structure of which an initialiser overrides a part, compilers do not agree upon.
// EXPECT unknown
#include <assert.h>

struct inner {
    int a, b;
};
struct outer {
    struct inner inner;
    int c;
};

static struct inner known = {1, 2};

int main(void)
{
    struct outer outer = {.inner = known, .inner.a = 9};
    assert(outer.inner.b == 2);
    return 0;
}
