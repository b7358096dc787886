// Two attempts at two locks; what is done under them is ordered.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int data;

void *worker(void *arg) {
    if (pthread_mutex_trylock(&a) == 0) {
        if (pthread_mutex_trylock(&b) == 0) {
            data++;
            pthread_mutex_unlock(&b);
        }
        pthread_mutex_unlock(&a);
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
