// Threads with high numbers synchronise like others.
// EXPECT holds
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_barrier_t b;
sem_t s;
int x;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    x = x + 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_barrier_wait(&b);
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_barrier_init(&b, 0, 1);
    sem_init(&s, 0, 0);
    for (int i = 0; i < 70; i++) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
        sem_wait(&s);
        assert(x == i + 1);
    }
    return 0;
}
