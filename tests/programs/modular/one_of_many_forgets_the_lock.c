// Any number of threads, each of which puts back what it takes, but after the lock is released.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x--;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    assert(x == 0); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}
