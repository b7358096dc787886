// memcpy reads its source.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

int source[2], target[2];

void *first(void *arg) {
    memcpy(target, source, sizeof source); // RACE
    return 0;
}

void *second(void *arg) {
    source[1] = 5; // RACE
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
