// A barrier has no static initialiser: all zero is not initialised.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_barrier_t b;

int main(void) {
    pthread_barrier_wait(&b); // VIOLATION
    return 0;
}
