// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_key_t k;
int a, b;

void *worker(void *arg) {
    assert(pthread_getspecific(k) == 0);
    assert(pthread_setspecific(k, &b) == 0);
    assert(pthread_getspecific(k) == &b);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_key_create(&k, 0) == 0);
    assert(pthread_setspecific(k, &a) == 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_getspecific(k) == &a);
    assert(pthread_key_delete(k) == 0);
    return 0;
}
