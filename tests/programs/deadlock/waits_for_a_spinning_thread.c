// Nobody posts, but a thread that spins might: it is not blocked.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

sem_t s;
volatile int stop;

void *f(void *arg) {
    sem_wait(&s);
    return 0;
}

void *h(void *arg) {
    while (!stop)
        ;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, h, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
