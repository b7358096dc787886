// In its third round the counter is less than where it began.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int i = 3;
    for (int round = 0; round < 4; round++) {
        assert(i >= 3); // VIOLATION
        i = round == 2 ? 2 : i + 1;
    }
    return 0;
}
