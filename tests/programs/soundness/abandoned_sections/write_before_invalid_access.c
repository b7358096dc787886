// An atomic section that ends in an invalid access has written before: a data race, whatever else is asked about.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x = 1, y, numbers[4];

static void *writer(void *arg) {
    __VERIFIER_atomic_begin();
    x = 2; // RACE
    numbers[32] = 2;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    y = x; // RACE
    return 0;
}
