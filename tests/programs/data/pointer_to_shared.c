// The pointer moves while the other thread writes through it.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x, y;
int *target = &x;

void *first(void *arg) {
    target = &y;
    return 0;
}

void *second(void *arg) {
    *target = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 1); // VIOLATION
    return 0;
}
