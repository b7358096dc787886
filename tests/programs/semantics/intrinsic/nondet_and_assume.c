// EXPECT proved
// NONDET -3..3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 1);
    assert(n >= 2);
    return 0;
}
