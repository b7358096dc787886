// A chain of unsigned products leaves 64 bits: the comparison with its true value holds, so the write races.
// PROPERTY no-data-race
// EXPECT violated
// UNWIND 20
#include <pthread.h>

int x;

static unsigned hash(const char *s) {
    unsigned h = 5381;
    for (; *s; s++)
        h = h * 33 + (unsigned char)*s;
    return h;
}

static void *t(void *arg) {
    if (hash("a rather long key") == 3012611557u)
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
