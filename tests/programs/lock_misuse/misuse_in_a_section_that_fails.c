// The section ends the execution afterwards, by freeing what was not allocated, but the misuse comes first.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;
int *p = &x;
pthread_mutex_t m;
void *holder(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
void *destroyer(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_destroy(&m); // VIOLATION
    free(p);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, destroyer, 0);
    pthread_create(&t, 0, holder, 0);
    return 0;
}
