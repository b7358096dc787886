// Each thread takes away what it has seen.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int level = 1;
void *lower(void *p) {
    int seen = level;
    if (seen > 0) level = level - seen;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, lower, 0);
    assert(level >= 0); // VIOLATION
    return 0;
}
