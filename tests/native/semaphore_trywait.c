// Without a post in time, a try fails with EAGAIN.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <errno.h>
#include <semaphore.h>

sem_t s;

void *poster(void *arg) {
    SHAKE();
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, poster, 0);
    SHAKE();
    int result = sem_trywait(&s);
    printf("%d %d ", result, result == -1 && errno == EAGAIN);
    pthread_join(t, 0);
    int value = -1;
    sem_getvalue(&s, &value);
    printf("%d\n", value);
    return 0;
}
