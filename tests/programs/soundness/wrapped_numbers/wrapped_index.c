// An index computed modulo 2 to the 32: 3 * 0x55555556 is 2.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int a[4];

static void *t(void *arg) {
    unsigned i = 0x55555556u;
    i = i * 3;
    a[i] = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    a[2] = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
