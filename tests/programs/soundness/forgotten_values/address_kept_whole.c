// An address that is a number in between, and nothing else, is still known.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdint.h>

int a[2];

static void *t(void *arg) {
    uintptr_t u = (uintptr_t)arg;
    *(int *)u = 1;
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, &a[0]);
    a[1] = 2;
    pthread_join(h, 0);
    a[0] = 3;
    return 0;
}
