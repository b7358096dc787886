// Reading a bit-field is in conflict with writing one in another byte.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct { unsigned char a : 4, b : 4, c : 4; } shared;

static void *other(void *unused) {
    shared.c = 1; // RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int seen = shared.a; // RACE
    (void)seen;
    pthread_join(thread, NULL);
    return 0;
}
