// The __sync builtins are full barriers.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int data;
int flag;

void *first(void *arg) {
    data = 1;
    __sync_fetch_and_add(&flag, 1);
    return 0;
}

void *second(void *arg) {
    if (__sync_fetch_and_add(&flag, 0)) data = 2;
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
