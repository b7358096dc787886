// A linear congruential generator of 64 bits picks the element: it is the one that the other thread writes.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int a[2];

static void *t(void *arg) {
    unsigned long s = 88172645463325252ul;
    for (int i = 0; i < 8; i++)
        s = s * 6364136223846793005ul + 1442695040888963407ul;
    a[s >> 63] = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    a[0] = 2; // RACE
    a[1] = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
