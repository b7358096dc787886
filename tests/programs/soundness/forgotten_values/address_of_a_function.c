// A function whose address is negated twice as a number is called all the same.
// PROPERTY no-data-race
// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
#include <pthread.h>

int x;

static void set(void) {
    x = 1; // RACE
}

static void *t(void *arg) {
    unsigned long u = (unsigned long)set;
    u = -u;
    u = -u;
    ((void (*)(void))u)();
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
