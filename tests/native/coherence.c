// Two reads of one variable do not go back in time.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

int x;

void *writer(void *arg) {
    SHAKE();
    x = 1;
    SHAKE();
    x = 2;
    return 0;
}

void *reader(void *arg) {
    SHAKE();
    int first = x;
    SHAKE();
    int second = x;
    printf("%d%d\n", first, second);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
