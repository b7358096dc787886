// As semaphores_crossed, in one order.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

sem_t a, b;

void *f(void *arg) {
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    return 0;
}

int main(void) {
    pthread_t t, u;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
