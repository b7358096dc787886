// A recursive mutex is taken twice by each thread; the other cannot come between.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t m;
int depth;

void *enter(void *arg) {
    SHAKE();
    printf("%d", pthread_mutex_lock(&m));
    depth++;
    printf("%d", pthread_mutex_lock(&m));
    depth++;
    SHAKE();
    printf("(%d)", depth);
    printf("%d", pthread_mutex_unlock(&m));
    printf("%d ", pthread_mutex_unlock(&m));
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attribute);
    pthread_mutexattr_destroy(&attribute);
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", pthread_mutex_destroy(&m));
    return 0;
}
