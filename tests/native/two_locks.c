// Two accounts, each with a lock, locked in one order; an observer may see the money on its way.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int here = 10, there = 0;

void *transfer(void *arg) {
    pthread_mutex_lock(&first);
    here -= 3;
    pthread_mutex_unlock(&first);
    SHAKE();
    pthread_mutex_lock(&second);
    there += 3;
    pthread_mutex_unlock(&second);
    return 0;
}

void *observe(void *arg) {
    SHAKE();
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    printf("%d+%d=%d\n", here, there, here + there);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, transfer, 0);
    pthread_create(&b, 0, observe, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", here + there);
    return 0;
}
