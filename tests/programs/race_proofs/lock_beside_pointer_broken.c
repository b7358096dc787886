// The data of one element is accessed under the lock of the other.
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
    struct slot *p = &a[__VERIFIER_nondet_int() & 1];
    pthread_mutex_lock(&p->lock);
    p->data++; // VIOLATION
    pthread_mutex_unlock(&p->lock);
    return 0;
}

void *second(void *arg) {
    struct slot *p = &a[__VERIFIER_nondet_int() & 1];
    pthread_mutex_lock(&p->lock);
    struct slot *q = p == &a[0] ? &a[1] : &a[0];
    q->data = 1; // VIOLATION
    pthread_mutex_unlock(&p->lock);
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
