// Each print is whole; prints of two threads come in any order.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

void *letters(void *arg) {
    printf("a");
    SHAKE();
    puts("bc");
    SHAKE();
    putchar('d');
    return 0;
}

void *digits(void *arg) {
    printf("%d%d", 1, 2);
    SHAKE();
    printf("%s", "3");
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, letters, 0);
    pthread_create(&b, 0, digits, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n");
    return 0;
}
