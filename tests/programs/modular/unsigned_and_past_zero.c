// An unsigned counter goes below zero, where it is very large.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned i = 1;
    for (int round = 0; round < 3; round++) {
        assert(i <= 1); // VIOLATION
        i--;
    }
    return 0;
}
