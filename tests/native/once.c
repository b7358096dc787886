// An initialiser runs once, before either caller goes on.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_once_t control = PTHREAD_ONCE_INIT;
int value;

void initialise(void) {
    SHAKE();
    printf("init ");
    value = 7;
}

void *use(void *arg) {
    SHAKE();
    pthread_once(&control, initialise);
    printf("%s%d ", (char *)arg, value);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, "a");
    pthread_create(&b, 0, use, "b");
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
