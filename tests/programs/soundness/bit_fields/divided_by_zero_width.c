// A bit-field of width zero divides memory locations.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct { unsigned a : 17; unsigned char : 0; unsigned char b : 3; } shared;

static void *other(void *unused) {
    shared.a = 70000;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    shared.b = 2;
    pthread_join(thread, NULL);
    return 0;
}
