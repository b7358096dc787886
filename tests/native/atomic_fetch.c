// Atomic additions of <stdatomic.h>: each thread gets its own number, nothing is lost.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdatomic.h>

atomic_int ticket;
_Atomic unsigned total;

void *take(void *arg) {
    SHAKE();
    int mine = atomic_fetch_add(&ticket, 1);
    SHAKE();
    total += (unsigned)mine * 100u;
    printf("%s%d ", (char *)arg, mine);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, take, "a");
    pthread_create(&b, 0, take, "b");
    pthread_create(&c, 0, take, "c");
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    printf("%d %u\n", atomic_load(&ticket), atomic_load(&total));
    return 0;
}
