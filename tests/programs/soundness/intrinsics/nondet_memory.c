// EXPECT violated
// UNWIND 6
#include <assert.h>
extern void __VERIFIER_nondet_memory(void *, unsigned long);

struct pair {
    char a, b;
};

int main(void)
{
    struct pair p = { 0, 0 };
    __VERIFIER_nondet_memory(&p, sizeof p);
    assert(p.a == 0 || p.b != 1); // VIOLATION
    return 0;
}
