// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
struct timespec soon;
int x;

void *worker(void *arg) {
    pthread_rwlock_timedrdlock(&l, &soon);
    int mine = x; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_rwlock_trywrlock(&l);
    x = 1; // VIOLATION
    pthread_join(t, 0);
    return 0;
}
