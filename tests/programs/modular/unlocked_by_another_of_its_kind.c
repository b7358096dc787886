// Threads of one kind have one number here, but none of them may unlock what another one has locked.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *argument) {
    if (argument)
        pthread_mutex_lock(&m);
    else
        pthread_mutex_unlock(&m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    for (long i = 1; i >= 0; i--)
        pthread_create(&t, 0, worker, (void *)i);
    return 0;
}
