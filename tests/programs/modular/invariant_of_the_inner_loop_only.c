// What holds in every round of the inner loop does not hold after the outer one has gone on.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) assert(x <= 1); // VIOLATION
        x++;
    }
    return 0;
}
