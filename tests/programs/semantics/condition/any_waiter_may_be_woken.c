// There is no order among waiters: the second to wait may be the one that a signal wakes.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, first_left;

void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    int place = ++waiting;
    pthread_cond_wait(&c, &m);
    if (place == 1) first_left = 1;
    if (place == 2) assert(first_left); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, waiter, 0);
    pthread_create(&t2, 0, waiter, 0);
    pthread_mutex_lock(&m);
    if (waiting == 2) pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
