// Who am I: handles compare equal to oneself only.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_t mains;

void *work(void *arg) {
    printf("%d", !!pthread_equal(pthread_self(), mains));
    SHAKE();
    printf("%d", !!pthread_equal(pthread_self(), pthread_self()));
    return 0;
}

int main(void) {
    pthread_t t;
    mains = pthread_self();
    pthread_create(&t, 0, work, 0);
    printf("%d", !!pthread_equal(mains, t) + 4);
    pthread_join(t, 0);
    printf("\n");
    return 0;
}
