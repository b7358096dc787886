// Figure 1: the reordering t1-t4 t9-t12 fails, although t11 then reads another value than in the run.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int x, y;
sem_t l;

void *second(void *unused) {
    int b = 0;
    sem_wait(&l);
    if (x > b)
        assert(y == 1);
    sem_post(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&l, 0, 1);
    pthread_create(&t, 0, second, 0);
    int a = x;
    sem_wait(&l);
    x = 2 + a;
    sem_post(&l);
    y = 1 + a;
    sem_wait(&l);
    x = 1 + a;
    sem_post(&l);
    pthread_join(t, 0);
    return 0;
}
