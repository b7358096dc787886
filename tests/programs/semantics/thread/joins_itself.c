// PROPERTY no-deadlock
// EXPECT violated
// NATIVE no glibc returns EDEADLK
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), 0); // VIOLATION
    return 0;
}
