// All threads get the address of one loop variable, a classical mistake.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

int seen[3];

void *work(void *arg) {
    SHAKE();
    int me = *(int *)arg;
    seen[me] = 1;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, work, &i);
        SHAKE();
    }
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    printf("%d%d%d\n", seen[0], seen[1], seen[2]);
    return 0;
}
