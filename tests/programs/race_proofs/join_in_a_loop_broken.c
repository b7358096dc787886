// One of them is not joined.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    total++; // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    total = 0; // VIOLATION
    return 0;
}
