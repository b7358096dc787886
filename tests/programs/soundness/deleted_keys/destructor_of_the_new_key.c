// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int calls, value;

static void never(void *arg) {
    assert(0);
}

static void count(void *arg) {
    assert(arg == &value);
    calls++;
}

static void *run(void *arg) {
    pthread_setspecific(key, &calls);
    pthread_key_delete(key);
    pthread_key_create(&key, count);
    pthread_setspecific(key, &value);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, never);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(calls == 1);
    return 0;
}
