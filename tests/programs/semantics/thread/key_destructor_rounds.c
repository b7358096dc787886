// A destructor that sets the value again is called PTHREAD_DESTRUCTOR_ITERATIONS times, not for ever.
// EXPECT proved
#include <pthread.h>
#include <limits.h>
#include <assert.h>

pthread_key_t k;
int own, ran;

void destroy(void *value) {
    ran++;
    pthread_setspecific(k, value);
}

void *worker(void *arg) {
    pthread_setspecific(k, &own);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(ran == PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}
