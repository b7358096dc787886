// Figure 9 (b): the second thread writes only after it has been told that the transaction is over.
#include <pthread.h>
#include <semaphore.h>

int x;
sem_t c;

void gordian_atomic_begin(void) {}
void gordian_atomic_end(void) {}

void *second(void *unused) {
    sem_wait(&c);
    x = 5;
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&c, 0, 0);
    pthread_create(&t, 0, second, 0);
    gordian_atomic_begin();
    x = 1;
    int a = x + 1;
    gordian_atomic_end();
    sem_post(&c);
    pthread_join(t, 0);
    return a == 2 ? 0 : 1;
}
