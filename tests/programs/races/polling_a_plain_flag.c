// Waiting for a plain flag races with setting it, in whichever round.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int flag;

void *first(void *arg) {
    flag = 1; // RACE
    return 0;
}

void *second(void *arg) {
    while (!flag) // RACE
        ;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
