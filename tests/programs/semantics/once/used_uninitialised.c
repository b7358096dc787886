// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

void initialise(void) {}

int main(void) {
    pthread_once_t once;
    pthread_once(&once, initialise); // VIOLATION
    return 0;
}
