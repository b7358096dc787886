// An atomic section takes and releases the lock again, in the one step that it is, after a branch.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;
pthread_mutex_t m, n;
void look(void) {
    if (x) {
        pthread_mutex_lock(&n);
        pthread_mutex_unlock(&n);
    }
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}
void *first(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x++;
    __VERIFIER_atomic_begin();
    look();
    look();
    __VERIFIER_atomic_end();
    return 0;
}
void *second(void *arg) {
    look();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    pthread_create(&t, 0, first, 0);
    assert(x <= 1);
    return 0;
}
