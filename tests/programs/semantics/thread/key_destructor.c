// The destructor of a key gets the value of the thread that ends, whose value is null by then.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_key_t k, without;
int own, ran;

void destroy(void *value) {
    assert(value == &own);
    assert(pthread_getspecific(k) == 0);
    ran++;
}

void *worker(void *arg) {
    pthread_setspecific(k, &own);
    pthread_setspecific(without, &own);
    return 0;
}

void *without_value(void *arg) {
    pthread_setspecific(k, &own);
    pthread_setspecific(k, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&without, 0);
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(ran == 1);
    pthread_create(&t, 0, without_value, 0);
    pthread_join(t, 0);
    assert(ran == 1);
    return 0;
}
