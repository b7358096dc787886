// A lock that is taken and released inside of a section orders what comes before it, but not what the section does afterwards.
// PROPERTY no-data-race
// EXPECT violated
// ENGINES unknown an access after a synchronisation in the same section is not looked at
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    int seen = x; // RACE
    __VERIFIER_atomic_end();
    (void)seen;
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&m);
    x = 1; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
