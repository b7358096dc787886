// What one thread does to errno another does not see.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <errno.h>

void *work(void *arg) {
    printf("%d ", errno == 0);
    errno = EBUSY;
    SHAKE();
    printf("%d ", errno == EBUSY);
    return 0;
}

int main(void) {
    pthread_t t;
    errno = EAGAIN;
    pthread_create(&t, 0, work, 0);
    SHAKE();
    printf("%s ", errno == EAGAIN ? "mine" : "theirs");
    pthread_join(t, 0);
    printf("%d\n", errno == EAGAIN);
    return 0;
}
