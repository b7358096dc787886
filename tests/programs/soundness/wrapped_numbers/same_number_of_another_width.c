// That an int is -1 says nothing about a long that is -1.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int shared;

static void *other(void *unused) {
    shared = 1; // RACE
    return NULL;
}

static int narrow(int number) {
    return number < 0 ? -1 : 0;
}

static long wide(long number) {
    return number < 0 ? -1 : number;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    long before = wide(-9);
    if (narrow(-9) == -1)
        if (before == -1)
            shared = 2; // RACE
    pthread_join(thread, NULL);
    return 0;
}
