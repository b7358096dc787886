// `memset` over an object with a constant member writes that, too.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no a write to such a member does not fail
#include <string.h>

struct s {
    int b;
    const int a;
};

int main(void)
{
    struct s l = {1, 2};
    memset(&l, 0, sizeof l); // VIOLATION
    return l.b;
}
