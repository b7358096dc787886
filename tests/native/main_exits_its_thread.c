// pthread_exit in main lets the others finish; the status is 0.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

void *work(void *arg) {
    SHAKE();
    printf("a");
    SHAKE();
    printf("b");
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    SHAKE();
    printf("m");
    pthread_exit(0);
}
