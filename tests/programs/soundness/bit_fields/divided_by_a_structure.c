// Bit-fields of different structures are different memory locations.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct { struct { unsigned a : 20; } first; struct { unsigned b : 8; } second; } shared;

static void *other(void *unused) {
    shared.first.a = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    shared.second.b = 2;
    pthread_join(thread, NULL);
    return 0;
}
