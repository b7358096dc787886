// A thread that an assumption stops is not blocked, and who waits for it is not in a deadlock.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

extern void __VERIFIER_assume(int);
sem_t s;
int x;

void *f(void *arg) {
    sem_wait(&s);
    return 0;
}

void *h(void *arg) {
    __VERIFIER_assume(x == 1);
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
