// A detached thread may or may not print before the process ends.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

void *work(void *arg) {
    SHAKE();
    printf("work ");
    SHAKE();
    printf("more ");
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    printf("%d ", pthread_detach(t));
    SHAKE();
    printf("main\n");
    SHAKE();
    return 3;
}
