// Exactly one swap succeeds.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, won1, won2;

void *first(void *arg) {
    won1 = __sync_bool_compare_and_swap(&x, 0, 1);
    return 0;
}

void *second(void *arg) {
    won2 = __sync_bool_compare_and_swap(&x, 0, 2);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(won1 + won2 == 1);
    assert(x == (won1 ? 1 : 2));
    return 0;
}
