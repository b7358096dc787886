// Neighbouring bit-fields are one memory location, even in different integers.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct { unsigned a : 20, b : 20; } shared;

static void *other(void *unused) {
    shared.a = 1; // RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    shared.b = 2; // RACE
    pthread_join(thread, NULL);
    return 0;
}
