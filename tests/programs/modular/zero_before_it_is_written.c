// An element of new memory is zero before the loop writes it.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = 2 + (__VERIFIER_nondet_int() & 1);
    int *a = calloc(n, sizeof *a);
    for (int i = 0; i < 2; i++) {
        assert(a[i] == 7); // VIOLATION
        a[i] = 7;
    }
    return 0;
}
