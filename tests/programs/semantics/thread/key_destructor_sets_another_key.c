// A value that a destructor sets for another key gets its destructor in the next round at the latest.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_key_t first, second;
int own, order;

void destroy_first(void *value) {
    assert(order == 1);
    order = 2;
}

void destroy_second(void *value) {
    order = 1;
    pthread_setspecific(first, &own);
}

void *worker(void *arg) {
    pthread_setspecific(second, &own);
    pthread_exit(0);
}

int main(void) {
    pthread_t t;
    pthread_key_create(&first, destroy_first);
    pthread_key_create(&second, destroy_second);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(order == 2);
    return 0;
}
