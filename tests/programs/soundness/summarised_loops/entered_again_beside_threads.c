// A loop is summarised while there is one thread. In the next round of the loop around it there are threads, and it is unrolled:
// what goes back to its head then does another round, and does not end in the summary of the round before.
// EXPECT violated
// NONDET 0..12
#include <assert.h>
#include <pthread.h>

unsigned nondet_uint(void);

static void *idle(void *arg) {
    return 0;
}

int main(void) {
    unsigned n = nondet_uint();
    int reached = 0;
    for (int round = 0; round < 2; round++) {
        unsigned i = 0;
        while (i < n) {
            i++;
            if (round == 1 && i == 10)
                reached = 1;
        }
        pthread_t thread;
        pthread_create(&thread, 0, idle, 0);
        pthread_join(thread, 0);
    }
    assert(!reached); // VIOLATION
    return 0;
}
