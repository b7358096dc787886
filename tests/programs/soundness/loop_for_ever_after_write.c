// A thread that never ends has written before.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x;

void *first(void *arg) {
    assert(x == 0); // VIOLATION
    return 0;
}

void *second(void *arg) {
    x = 1;
    while (1) ;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
