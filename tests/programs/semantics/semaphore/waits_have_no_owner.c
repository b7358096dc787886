// A wait without an owner counts only for global deadlock: the runner could still post.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>
#include <sched.h>

sem_t s;

void *runner(void *arg) {
    for (;;) sched_yield();
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, runner, 0);
    sem_wait(&s);
    return 0;
}
