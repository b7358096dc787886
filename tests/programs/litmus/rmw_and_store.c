// A plain store may fall before or after the update, never between its parts.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x;

void *first(void *arg) {
    __sync_fetch_and_add(&x, 1);
    return 0;
}

void *second(void *arg) {
    x = 4;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 4 || x == 5);
    return 0;
}
