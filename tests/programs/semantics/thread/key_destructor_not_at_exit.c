// The end of the process runs no destructors, neither does the end of a thread for a key that is deleted.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_key_t k, deleted;
int own;

void destroy(void *value) {
    assert(0);
}

void *worker(void *arg) {
    pthread_setspecific(deleted, &own);
    pthread_key_delete(deleted);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_key_create(&deleted, destroy);
    pthread_setspecific(k, &own);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
