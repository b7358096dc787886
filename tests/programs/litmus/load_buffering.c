// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x, y, r1, r2;

void *first(void *arg) {
    r1 = x;
    y = 1;
    return 0;
}

void *second(void *arg) {
    r2 = y;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 1 && r2 == 1));
    return 0;
}
