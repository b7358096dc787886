// Threads without number swap between two buffers, and the pointer to the current one is never null.
// PROPERTY valid-deref
// EXPECT unbounded
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int one[4], two[4];
int *current;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        if (current == one)
            current = two;
        else
            current = one;
        current[3] = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    current = one;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}
