// A memory location may be longer than any integer.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct { unsigned long a : 40, b : 40, c : 40; } shared;

static void *other(void *unused) {
    shared.a = 1; // RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    shared.c = 2; // RACE
    pthread_join(thread, NULL);
    return 0;
}
