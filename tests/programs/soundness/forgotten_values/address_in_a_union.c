// A number that is read from a union where a pointer was stored, negated twice, and used as a pointer.
// PROPERTY no-data-race
// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
#include <pthread.h>

union word { int *p; unsigned long u; };
int x;

static void *t(void *arg) {
    union word v;
    v.p = &x;
    v.u = -v.u;
    v.u = -v.u;
    *v.p = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
