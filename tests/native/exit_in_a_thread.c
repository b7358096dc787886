// Whoever calls exit first ends the process, with its status.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdlib.h>

void *quit(void *arg) {
    SHAKE();
    _Exit(*(int *)arg);
}

int main(void) {
    pthread_t a, b;
    int one = 41, two = 300;
    pthread_create(&a, 0, quit, &one);
    pthread_create(&b, 0, quit, &two);
    SHAKE();
    printf("x");
    pthread_join(a, 0);
    printf("never");
    return 0;
}
