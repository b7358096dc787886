// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;

void initialise(void) {
    pthread_once(&once, initialise); // VIOLATION
}

int main(void) {
    pthread_once(&once, initialise);
    return 0;
}
