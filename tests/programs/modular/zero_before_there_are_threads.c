// What is shared is zero only because nobody has written it yet.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int level;
void *raise(void *p) { level = 2; return 0; }
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, raise, 0);
    assert(level != 0); // VIOLATION
    return 0;
}
