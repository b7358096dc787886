// Each input has the 4 values of the range, and only one way to go on: 4 * 4 executions.
// EXPECT proved
// NONDET 0..3
// EXECUTIONS 16
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    assert(a == b || a != b);
    return a + b;
}
