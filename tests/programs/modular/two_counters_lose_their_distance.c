// On one way through the loop only one of them grows.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int a = 5, b = 7;
    for (int i = 0; i < 2; i++) {
        a++;
        if (i == 0) b++;
        assert(b == a + 2); // VIOLATION
    }
    return 0;
}
