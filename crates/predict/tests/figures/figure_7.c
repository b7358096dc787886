// Figure 7: as Figure 1, but both writes of x write the same value, so that values alone are enough to predict it.
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
    x = 1 + a;
    sem_post(&l);
    y = 1 + a;
    sem_wait(&l);
    x = 1 + a;
    sem_post(&l);
    pthread_join(t, 0);
    return 0;
}
