// PROPERTY no-exit-while-locked
// EXPECT proved
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void finish(void) {
    exit(0);
}

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    finish();
}
