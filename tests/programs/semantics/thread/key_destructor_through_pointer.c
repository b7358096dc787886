// A thread that is started through a pointer runs destructors too.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_key_t k;
int own, ran;

void destroy(void *value) {
    ran++;
}

void *one(void *arg) {
    pthread_setspecific(k, arg);
    return arg;
}

void *(*volatile start)(void *) = one;

int main(void) {
    pthread_t t;
    void *result;
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, start, &own);
    pthread_join(t, &result);
    assert(ran == 1 && result == &own);
    return 0;
}
