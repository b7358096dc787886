// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec soon;

void *worker(void *arg) {
    pthread_cond_timedwait(&c, &m, &soon); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
