// A pointer that is copied in two halves points where it did.
// PROPERTY no-data-race
// EXPECT violated
// TREES unknown byte-wise access to a pointer
#include <pthread.h>
#include <string.h>

int x;

static void *t(void *arg) {
    int *p = &x, *q;
    memcpy(&q, &p, 4);
    memcpy((char *)&q + 4, (char *)&p + 4, 4);
    *q = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
