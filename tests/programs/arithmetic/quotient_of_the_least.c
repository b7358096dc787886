// The least number divided by -1 does not fit.
// PROPERTY no-overflow
// EXPECT violated
// NONDET -1..1
extern int __VERIFIER_nondet_int(void);
#include <limits.h>

int main(void) {
    int divisor = __VERIFIER_nondet_int();
    if (divisor == 0)
        return 0;
    return INT_MIN / divisor; // VIOLATION
}
