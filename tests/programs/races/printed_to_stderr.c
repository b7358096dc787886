// Printing a string reads it, to whatever stream.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char message[16] = "start";

void *worker(void *arg) {
    strcpy(message, "working"); // RACE
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    fprintf(stderr, "%d: %s\n", 1, message); // RACE
    pthread_join(a, 0);
    return 0;
}
