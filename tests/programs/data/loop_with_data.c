// NONDET 0..3
// EXPECT proved
// UNWIND 5
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int() & 3;
    int sum = 0;
    for (int i = 1; i <= n; i++) sum += i;
    assert(2 * sum == n * (n + 1));
    return 0;
}
