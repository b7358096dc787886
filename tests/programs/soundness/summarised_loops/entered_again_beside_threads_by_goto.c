// As entered_again_beside_threads.c; the loop around is made of a goto.
// EXPECT violated
// NONDET 0..11
#include <assert.h>
#include <pthread.h>

unsigned nondet_uint(void);

static void *idle(void *arg) {
    return 0;
}

int main(void) {
    unsigned n = nondet_uint(), sum, round = 0;
    pthread_t thread;
again:
    sum = 0;
    while (sum < n)
        sum++;
    if (round++ == 0) {
        pthread_create(&thread, 0, idle, 0);
        goto again;
    }
    assert(sum != 10); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
