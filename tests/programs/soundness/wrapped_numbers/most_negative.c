// The most negative number has no positive counterpart: its negation is itself.
// PROPERTY no-data-race
// EXPECT violated
#include <limits.h>
#include <pthread.h>

struct { long before; long x; } s;

static void *t(void *arg) {
    unsigned long m = (unsigned long)LONG_MIN;
    long n = (long)-m;
    if (n < 0)
        s.x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    s.x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
