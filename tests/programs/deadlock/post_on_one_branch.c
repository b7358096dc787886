// One branch forgets the post.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

extern int __VERIFIER_nondet_int(void);
sem_t s;

void *f(void *arg) {
    sem_wait(&s); // VIOLATION
    return 0;
}

void *g(void *arg) {
    if (__VERIFIER_nondet_int())
        sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
