// The condition is a local of main, which would end if the first worker did.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *bell) {
    pthread_mutex_lock(&guard);
    while (1) pthread_cond_wait(bell, &guard); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
    pthread_create(&first, 0, worker, &bell);
    pthread_create(&second, 0, worker, &bell);
    pthread_join(first, 0); // VIOLATION
    return 0;
}
