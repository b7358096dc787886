// Each thread has a lock of its own.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m[100];
int x;
void *work(void *p) {
    pthread_mutex_t *own = p;
    pthread_mutex_lock(own);
    x++;
    assert(x == 1); // VIOLATION
    x--;
    pthread_mutex_unlock(own);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&m[i], 0);
        pthread_create(&t, 0, work, &m[i]);
    }
    return 0;
}
