// A member that is no bit-field divides memory locations.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct { unsigned a : 20; char between; unsigned b : 8; } shared;

static void *other(void *unused) {
    shared.a = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    shared.b = 2;
    pthread_join(thread, NULL);
    return 0;
}
