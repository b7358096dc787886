// NONDET 0..5
// EXPECT proved
#include <assert.h>
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    void (*assume)(int) = __VERIFIER_assume;
    int x = __VERIFIER_nondet_int();
    assume(x == 3);
    assert(x == 3);
    return 0;
}
