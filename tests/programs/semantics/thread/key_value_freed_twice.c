// Once by the thread, once by the destructor.
// PROPERTY valid-free
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_key_t k;

void destroy(void *value) {
    free(value); // VIOLATION
}

void *worker(void *arg) {
    void *own = malloc(4);
    pthread_setspecific(k, own);
    free(own);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
