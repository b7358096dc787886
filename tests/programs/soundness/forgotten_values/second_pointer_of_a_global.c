// A pointer that a global holds at first, read at an odd place of a copy.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

int x;
struct { char tag; int *p; } s = { 1, &x };

static void *t(void *arg) {
    char copy[sizeof s + 1];
    int *q;
    memcpy(copy + 1, &s, sizeof s);
    memcpy(&q, copy + 1 + 8, sizeof q);
    *q = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
