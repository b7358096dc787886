// A counter of 8 bits wraps to zero, where the thread writes.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

static void *t(void *arg) {
    unsigned char c = 250;
    for (int i = 0; i < 6; i++)
        c = c + 1;
    if (c == 0)
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
