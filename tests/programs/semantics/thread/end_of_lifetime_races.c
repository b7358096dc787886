// The end of a local variable's lifetime is a write.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1; // VIOLATION
    return 0;
}

pthread_t start(void) {
    pthread_t t;
    int mine = 0;
    pthread_create(&t, 0, worker, &mine);
    return t; // VIOLATION
}

int main(void) { // VIOLATION
    pthread_join(start(), 0); // VIOLATION
    return 0;
}
