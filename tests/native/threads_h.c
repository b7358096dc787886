// Threads, mutex and results of <threads.h>.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <threads.h>

mtx_t m;
int counter;

int work(void *arg) {
    SHAKE();
    mtx_lock(&m);
    int seen = counter;
    SHAKE();
    counter = seen + *(int *)arg;
    printf("%d ", counter);
    mtx_unlock(&m);
    return -counter;
}

int main(void) {
    thrd_t a, b;
    int two = 2, three = 3, first, second;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, work, &two);
    thrd_create(&b, work, &three);
    thrd_join(a, &first);
    thrd_join(b, &second);
    mtx_destroy(&m);
    printf("%d %s\n", counter, first < 0 && second < 0 ? "negative" : "other");
    return 0;
}
