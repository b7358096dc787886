// PROPERTY no-exit-while-locked
// EXPECT violated
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) { // VIOLATION
    pthread_mutex_lock(&m);
    return 0;
}
