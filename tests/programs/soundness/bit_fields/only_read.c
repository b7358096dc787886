// Bit-fields that are only read do not race.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct { unsigned a : 20, b : 20; } shared;

static void *other(void *unused) {
    int seen = shared.a;
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int seen = shared.b;
    (void)seen;
    pthread_join(thread, NULL);
    return 0;
}
