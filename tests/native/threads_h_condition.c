// A condition variable, a try and call_once of <threads.h>.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <threads.h>

mtx_t m;
cnd_t c;
once_flag flag = ONCE_FLAG_INIT;
int ready;

void greet(void) {
    printf("hello ");
}

int worker(void *arg) {
    call_once(&flag, greet);
    SHAKE();
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    thrd_exit(4);
}

int main(void) {
    thrd_t t;
    int result;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, worker, 0);
    call_once(&flag, greet);
    SHAKE();
    int tried = mtx_trylock(&m);
    printf("%s ", tried == thrd_success ? "got it" : tried == thrd_busy ? "busy" : "other");
    if (tried != thrd_success) {
        mtx_lock(&m);
    }
    while (!ready) {
        cnd_wait(&c, &m);
    }
    mtx_unlock(&m);
    thrd_join(t, &result);
    printf("%d\n", result);
    return 0;
}
