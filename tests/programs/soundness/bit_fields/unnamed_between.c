// An unnamed bit-field does not divide a memory location.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct { unsigned char a : 4; unsigned char : 8; unsigned char b : 4; } shared;

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
