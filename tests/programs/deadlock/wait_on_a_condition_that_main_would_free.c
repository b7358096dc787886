// Both workers wait for ever, so that main never comes to the end of the condition's life. While they wait, each looks at
// whether the condition exists, which does not take the mutex.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *bell;

void *worker(void *arg) {
    pthread_mutex_lock(&guard);
    while (1) pthread_cond_wait(bell, &guard); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t first, second;
    bell = malloc(sizeof *bell);
    pthread_cond_init(bell, 0);
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0); // VIOLATION
    free(bell);
    return 0;
}
