// The lock lies beside the data that a pointer leads to.
// PROPERTY no-data-race
// EXPECT proved
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
    p->data++;
    pthread_mutex_unlock(&p->lock);
    return 0;
}

void *second(void *arg) {
    struct slot *p = &a[__VERIFIER_nondet_int() & 1];
    pthread_mutex_lock(&p->lock);
    int *q = &p->data;
    *q = 1;
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
