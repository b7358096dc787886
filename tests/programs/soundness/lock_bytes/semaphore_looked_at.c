// A post changes the semaphore, atomically; nothing orders the plain read before or after it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;
int seen;

void *first(void *unused) {
    sem_post(&semaphore); // RACE
    return 0;
}

void *second(void *unused) {
    seen = *(volatile int *)&semaphore; // RACE
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
