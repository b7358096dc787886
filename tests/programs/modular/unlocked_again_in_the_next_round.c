// One of the ways around the loop does not take the lock again.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    pthread_mutex_lock(&m);
    do {
        x++;
        pthread_mutex_unlock(&m); // VIOLATION
        if (x < 3)
            pthread_mutex_lock(&m);
    } while (__VERIFIER_nondet_int());
    return 0;
}

int main(void) {
    pthread_t t;
    x = 2;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
