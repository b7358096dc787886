// The lock is held in the first round only.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    for (int i = 0; i < 2; i++) {
        assert(x == 0); // VIOLATION
        if (i == 0) pthread_mutex_unlock(&m);
    }
    return 0;
}
