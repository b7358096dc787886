// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int x;

void initialise(void) { x++; }

void *first(void *arg) {
    pthread_once(&once, initialise);
    assert(x == 1);
    return 0;
}

void *second(void *arg) {
    pthread_once(&once, initialise);
    assert(x == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 1);
    return 0;
}
