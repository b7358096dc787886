// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec soon;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &soon);
    pthread_mutex_unlock(&m);
    return 0;
}
