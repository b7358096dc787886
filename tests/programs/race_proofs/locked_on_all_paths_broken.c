// The lock is held on one way only.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    int n = __VERIFIER_nondet_int();
    if (n)
        pthread_mutex_lock(&m);
    x++; // VIOLATION
    if (n)
        pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    x = 0; // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
