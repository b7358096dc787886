// `sem_getvalue` only reads the semaphore, and two reads do not race.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore, copy;
int value;

void *first(void *unused) {
    sem_getvalue(&semaphore, &value); // NORACE
    return 0;
}

void *second(void *unused) {
    copy = semaphore; // NORACE
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
