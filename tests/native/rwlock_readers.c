// Two readers may be inside together, a writer only alone.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int readers;
int data;

void *reader(void *arg) {
    SHAKE();
    pthread_rwlock_rdlock(&lock);
    int now = atomic_fetch_add(&readers, 1) + 1;
    SHAKE();
    printf("r%d:%d ", now, data);
    atomic_fetch_sub(&readers, 1);
    pthread_rwlock_unlock(&lock);
    return 0;
}

void *writer(void *arg) {
    SHAKE();
    pthread_rwlock_wrlock(&lock);
    data = 1;
    printf("w%d ", atomic_load(&readers));
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    reader(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
