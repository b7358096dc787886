// One thread aborts the process, another would exit with 5.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdlib.h>

void *fail(void *arg) {
    SHAKE();
    printf("a");
    abort();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, fail, 0);
    SHAKE();
    printf("m");
    SHAKE();
    return 5;
}
