// What is added to one is added to the other.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int a = 5, b = 7;
    while (__VERIFIER_nondet_int()) {
        a++;
        b++;
        assert(b == a + 2);
    }
    return 0;
}
