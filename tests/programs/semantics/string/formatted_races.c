// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdio.h>

char text[8];

void *worker(void *arg) {
    sprintf(text, "%d", 1); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    snprintf(text, 1, "%d", 2); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
