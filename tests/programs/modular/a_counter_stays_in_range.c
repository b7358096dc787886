// The counter of a loop is never less than where it begins, nor more than what it is compared with.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int i;
    for (i = 3; i < 100000; i++) {
        assert(i >= 3);
        if (__VERIFIER_nondet_int()) break;
    }
    assert(i <= 100000);
    return 0;
}
