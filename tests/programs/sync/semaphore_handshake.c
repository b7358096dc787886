// EXPECT proved
#include <pthread.h>
#include <assert.h>

#include <semaphore.h>
sem_t s;
int data;

void *first(void *arg) {
    data = 1;
    sem_post(&s);
    return 0;
}

void *second(void *arg) {
    sem_wait(&s);
    assert(data == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 0);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
