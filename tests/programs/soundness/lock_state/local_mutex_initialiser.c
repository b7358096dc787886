// A local mutex with a static initialiser is initialised.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
