// Each worker gets its own copy.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

void *worker(void *arg) {
    int number = *(int *)arg; // NORACE
    (void)number;
    return 0;
}

int main(void) {
    pthread_t t[2];
    int numbers[2];
    for (int i = 0; i < 2; i++) {
        numbers[i] = i; // NORACE
        pthread_create(&t[i], 0, worker, &numbers[i]);
    }
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
