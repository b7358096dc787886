// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int x, y;

void *first(void *arg) {
    x = 1;
    pthread_barrier_wait(&b);
    assert(y == 1);
    return 0;
}

void *second(void *arg) {
    y = 1;
    pthread_barrier_wait(&b);
    assert(x == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
