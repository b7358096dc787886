// Threads without number take two locks, always in the same order, and for as long as they like.
// PROPERTY no-deadlock
// EXPECT unbounded
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;

static void take_second(void) { pthread_mutex_lock(&b); }

void *worker(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&a);
        x++;
        if (x > 2) {
            take_second();
            x = 0;
            pthread_mutex_unlock(&b);
        }
        pthread_mutex_unlock(&a);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&b);
    x = 1;
    pthread_mutex_unlock(&b);
    return 0;
}
