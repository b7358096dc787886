// An atomic addition moves a pointer to the next element.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

int a[2];
_Atomic(int *) p;

static void *t(void *arg) {
    int *q = atomic_load(&p);
    *q = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    atomic_store(&p, a);
    atomic_fetch_add(&p, 1);
    pthread_create(&h, 0, t, 0);
    a[1] = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
