// What no execution reaches may be called by any type.
// EXPECT proved
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct pair { int first, second; };

int same(int x) { return x; }
void nothing(void) {}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n != n) {
        ((int (*)(void))same)();
        assert(((int (*)(void))nothing)());
        struct pair pair = ((struct pair (*)(int))same)(1);
        assert(pair.first);
    }
    return 0;
}
