// A local mutex without any initialiser is not.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_lock(&m); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}
