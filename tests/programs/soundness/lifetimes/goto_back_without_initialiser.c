// Without initialiser the value becomes indeterminate each time the declaration is reached.
// NATIVE no the compiler may keep the old value
// EXPECT violated
#include <assert.h>

struct s { int a, b; };

int main(void)
{
    int n = 0;
    struct s *p = 0;
again:;
    struct s x;
    if (n++ == 0) {
        p = &x;
        p->a = 3;
        goto again;
    }
    assert(p->a == 3); // VIOLATION
    return 0;
}
