// A write in a section, a `free` after it and a `realloc` elsewhere: whichever of the ends comes second is invalid, and
// the race is reported there all the same.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;
int *p = &x;

void *replaces(void *arg) {
    __VERIFIER_atomic_begin();
    p = calloc(1, sizeof *p);             // RACE
    __VERIFIER_atomic_end();
    p = realloc(p, 2 * sizeof *p);        // RACE
    return 0;
}

void *writes(void *arg) {
    __VERIFIER_atomic_begin();
    *p = 0;                               // RACE
    __VERIFIER_atomic_end();
    free(p);                              // RACE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writes, 0);
    pthread_create(&b, 0, replaces, 0);
    return 0;
}
