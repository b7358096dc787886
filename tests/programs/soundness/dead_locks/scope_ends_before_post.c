// The end of a scope is the end of a semaphore in it; a post that has not come by then races with it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

static void *poster(void *s) {
    sem_post(s); // RACE
    return 0;
}

static void start(pthread_t *t) {
    sem_t s;
    sem_init(&s, 0, 0);
    pthread_create(t, 0, poster, &s);
} // RACE

int main(void) {
    pthread_t t;
    start(&t);
    pthread_join(t, 0);
    return 0;
}
