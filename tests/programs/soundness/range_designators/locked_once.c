// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    int results[2] = { [0 ... 1] = pthread_mutex_lock(&mutex) };
    pthread_mutex_unlock(&mutex);
    return results[0];
}
