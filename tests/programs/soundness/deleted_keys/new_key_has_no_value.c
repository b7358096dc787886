// Whatever its number, a new key is null in all threads.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int old, new;

static void *run(void *arg) {
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, &new);
    assert(pthread_getspecific(key) == &new);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &old);
    pthread_key_delete(key);
    pthread_key_create(&key, 0);
    assert(pthread_getspecific(key) == 0);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(pthread_getspecific(key) == 0);
    return 0;
}
