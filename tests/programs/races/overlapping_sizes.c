// A byte and the word it lies in.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

union { int word; char bytes[4]; } u;

void *first(void *arg) {
    u.word = 1; // RACE
    return 0;
}

void *second(void *arg) {
    u.bytes[3] = 2; // RACE
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
