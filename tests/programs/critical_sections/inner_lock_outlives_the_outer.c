// The inner lock is only ever touched under the outer one, but stays locked when that is released: the others must see it.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *worker(void *arg) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&outer);
    inside = 1;
    assert(inside == 1);
    inside = 0;
    return 0;
}

void *other(void *arg) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&outer);
    inside = 2;
    assert(inside == 2);
    return 0;
}

// Keeps `inside` from being folded away.
void *spy(void *arg) {
    assert(inside <= 2);
    return 0;
}

int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, other, 0);
    pthread_create(&v, 0, spy, 0);
    return 0;
}
