// The section fails in a branch that depends on what it has read.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct pair { int first, second; } pair = { 1, 0 };
int numbers[2];

static void *reader(void *arg) {
    __VERIFIER_atomic_begin();
    if (pair.first == 1) { // RACE
        numbers[5]++;
    }
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    pair.first = 2; // RACE
    pthread_join(thread, 0);
    return 0;
}
