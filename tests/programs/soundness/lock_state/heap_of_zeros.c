// Zeroed heap memory is an initialised object of every kind but a barrier.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

struct all {
    pthread_mutex_t m;
    pthread_rwlock_t r;
    pthread_cond_t c;
    sem_t s;
};

int main(void) {
    struct all *a = calloc(1, sizeof *a), *b = malloc(sizeof *b);
    memset(b, 0, sizeof *b);
    pthread_mutex_lock(&a->m);
    pthread_mutex_unlock(&a->m);
    pthread_rwlock_wrlock(&b->r);
    pthread_rwlock_unlock(&b->r);
    pthread_cond_signal(&b->c);
    sem_post(&a->s);
    sem_wait(&a->s);
    free(a);
    free(b);
    return 0;
}
