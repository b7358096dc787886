// A wait until a time that has passed: the signal may have come or not.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *setter(void *arg) {
    SHAKE();
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    struct timespec past = {0, 0};
    int before, after;
    pthread_create(&t, 0, setter, 0);
    SHAKE();
    pthread_mutex_lock(&m);
    before = ready;
    if (!before) {
        pthread_cond_timedwait(&c, &m, &past);
    }
    after = ready;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    printf("%d%d\n", before, after);
    return 0;
}
