// Trying a read-write lock while another thread reads or writes.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <errno.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *holder(void *arg) {
    SHAKE();
    pthread_rwlock_rdlock(&lock);
    SHAKE();
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    SHAKE();
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, holder, 0);
    SHAKE();
    int read = pthread_rwlock_tryrdlock(&lock);
    if (read == 0) {
        pthread_rwlock_unlock(&lock);
    }
    SHAKE();
    int write = pthread_rwlock_trywrlock(&lock);
    if (write == 0) {
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(t, 0);
    printf("%s %s\n", read == EBUSY ? "busy" : "read", write == EBUSY ? "busy" : "written");
    return 0;
}
