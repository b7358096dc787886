// Detached by attribute; a semaphore tells that it is done.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <semaphore.h>

sem_t done;
int result;

void *work(void *arg) {
    SHAKE();
    result = 9;
    printf("w");
    sem_post(&done);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attribute;
    int state;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attribute);
    pthread_attr_setdetachstate(&attribute, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attribute, &state);
    pthread_create(&t, &attribute, work, 0);
    printf("%d", state == PTHREAD_CREATE_DETACHED);
    sem_wait(&done);
    printf("%d\n", result);
    return 0;
}
