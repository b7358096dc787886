// strtok keeps its place in a variable that all threads share.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

void *worker(void *arg) {
    char text[] = "a b";
    strtok(text, " "); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
