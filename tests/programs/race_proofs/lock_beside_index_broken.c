// The index changes between lock and access.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct slot {
    int data;
    pthread_mutex_t lock;
};
struct slot a[2];

void *first(void *arg) {
    int i = __VERIFIER_nondet_int() & 1;
    pthread_mutex_lock(&a[i].lock);
    a[i].data++; // VIOLATION
    pthread_mutex_unlock(&a[i].lock);
    return 0;
}

void *second(void *arg) {
    int i = __VERIFIER_nondet_int() & 1;
    pthread_mutex_lock(&a[i].lock);
    i = 1 - i;
    a[i].data = 3; // VIOLATION
    i = 1 - i;
    pthread_mutex_unlock(&a[i].lock);
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
