// Two controls run the initialiser twice.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
int x;

void initialise(void) {
    x = 1; // VIOLATION
}

void *worker(void *arg) {
    pthread_once(&first, initialise);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_once(&second, initialise);
    pthread_join(t, 0);
    return 0;
}
