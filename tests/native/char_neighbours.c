// Neighbouring bytes of one word are variables of their own.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

struct { char a, b; short c; } word;

void *first(void *arg) {
    for (int i = 0; i < 3; i++) {
        word.a = (char)(word.a + 1);
        SHAKE();
    }
    return 0;
}

void *second(void *arg) {
    for (int i = 0; i < 3; i++) {
        word.b = (char)(word.b - 1);
        word.c = (short)(word.c + 1000);
        SHAKE();
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d %d %d\n", word.a, word.b, word.c);
    return 0;
}
