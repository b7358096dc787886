// Two locks of an array, in the order that the input says.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *worker(void *argument) {
    int from = __VERIFIER_nondet_int();
    if (from < 0 || from > 1)
        return 0;
    pthread_mutex_lock(&locks[from]);
    pthread_mutex_lock(&locks[1 - from]); // VIOLATION
    pthread_mutex_unlock(&locks[1 - from]);
    pthread_mutex_unlock(&locks[from]);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    return 0;
}
