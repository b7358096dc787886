// A child is created inside of an atomic section, which then lowers what it has raised.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int level;
void *child(void *p) {
    assert(level == 5); // VIOLATION
    return 0;
}
void *work(void *p) {
    pthread_t t;
    __VERIFIER_atomic_begin();
    level = 5;
    pthread_create(&t, 0, child, 0);
    level = 3;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 1; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
