// As deadlock_beside_a_spin.c, with an assertion.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

int flag, turn;

static void *spinner(void *arg) {
    if (__atomic_exchange_n(&turn, 1, __ATOMIC_SEQ_CST) == 0) {
        while (!flag) {
        }
    } else {
        assert(flag); // VIOLATION
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, spinner, 0);
    pthread_create(&two, 0, spinner, 0);
    return 0;
}
