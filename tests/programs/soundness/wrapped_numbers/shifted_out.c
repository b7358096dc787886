// Shifting moves the high bits out: what is left is zero, and the branch is taken.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

static void *t(void *arg) {
    unsigned u = 0x80000000u;
    unsigned v = u << 1, w = (u >> 31) << 31;
    int s = (int)u >> 31;
    if (v == 0 && w == u && s == -1)
        x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
