// Values by return and by pthread_exit from a called function.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdint.h>

static void leave(int value) {
    pthread_exit((void *)(intptr_t)value);
}

void *returns(void *arg) {
    SHAKE();
    return (char *)arg + 1;
}

void *exits(void *arg) {
    leave(17);
    printf("never");
    return 0;
}

int main(void) {
    pthread_t a, b;
    char text[4] = "xyz";
    void *first, *second;
    pthread_create(&a, 0, returns, text);
    pthread_create(&b, 0, exits, 0);
    printf("%d", pthread_join(b, &second));
    printf("%d ", pthread_join(a, &first));
    printf("%s %d\n", (char *)first, (int)(intptr_t)second);
    return 0;
}
