// Who does not get the lock at once says so.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int successes;

void *try_it(void *arg) {
    SHAKE();
    if (pthread_mutex_trylock(&m) == 0) {
        successes++;
        SHAKE();
        printf("%s", (char *)arg);
        pthread_mutex_unlock(&m);
    } else {
        printf("busy");
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, try_it, "A");
    pthread_create(&b, 0, try_it, "B");
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf(" %d\n", successes);
    return 0;
}
