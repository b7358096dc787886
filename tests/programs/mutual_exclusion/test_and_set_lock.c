// EXPECT holds
// UNWIND 3
#include <pthread.h>
#include <assert.h>

int lock, x;

void *first(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1)) ;
    x++;
    __sync_lock_release(&lock);
    return 0;
}

void *second(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1)) ;
    x++;
    __sync_lock_release(&lock);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 2);
    return 0;
}
