// All workers get the address of the same variable.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) {
    int number = *(int *)arg; // RACE
    (void)number;
    return 0;
}

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) // RACE
        pthread_create(&t[i], 0, worker, &i);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
