// Two reads of one location see its writes in order.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, r1, r2;

void *first(void *arg) {
    x = 1;
    x = 2;
    return 0;
}

void *second(void *arg) {
    r1 = x;
    r2 = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 2 && r2 == 1));
    return 0;
}
