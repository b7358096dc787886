// A timed lock with a time that has passed succeeds only if the mutex is free.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *holder(void *arg) {
    pthread_mutex_lock(&m);
    SHAKE();
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    struct timespec past = {0, 0};
    pthread_create(&t, 0, holder, 0);
    SHAKE();
    int result = pthread_mutex_timedlock(&m, &past);
    printf("%s\n", result == 0 ? "locked" : result == ETIMEDOUT ? "timed out" : "other");
    if (result == 0) {
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
