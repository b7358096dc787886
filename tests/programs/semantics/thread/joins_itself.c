// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), 0); // VIOLATION
    return 0;
}
