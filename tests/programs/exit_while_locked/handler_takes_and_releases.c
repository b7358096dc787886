// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void clean_up(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

int main(void) {
    atexit(clean_up);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
