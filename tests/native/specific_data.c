// Thread-specific data under a key.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

pthread_key_t key;
int values[2];

void *work(void *arg) {
    printf("%d", pthread_getspecific(key) == 0);
    pthread_setspecific(key, arg);
    SHAKE();
    int *mine = pthread_getspecific(key);
    *mine += 1;
    printf("%d ", mine == arg);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, 0);
    pthread_create(&a, 0, work, &values[0]);
    pthread_create(&b, 0, work, &values[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d %d %d\n", values[0], values[1], pthread_getspecific(key) == 0);
    pthread_key_delete(key);
    return 0;
}
