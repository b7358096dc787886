// Each iteration has a mutex of its own: the thread holds the first one for ever, main takes the second.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

sem_t locked;
int x;

static void *w(void *arg) {
    pthread_mutex_lock(arg);
    sem_post(&locked);
    x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&locked, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t m;
        pthread_mutex_init(&m, 0);
        if (i == 0) {
            pthread_create(&t, 0, w, &m);
            sem_wait(&locked);
        } else {
            pthread_mutex_lock(&m);
            x = 2; // RACE
            pthread_mutex_unlock(&m);
        }
    }
    pthread_join(t, 0);
    return 0;
}
