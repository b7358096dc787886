// A locked mutex stays locked where only its second half is set to zero.
// EXPECT unknown
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t mutex;

int main(void) {
    pthread_mutex_lock(&mutex);
    memset((char *)&mutex + 20, 0, 20);
    assert(pthread_mutex_trylock(&mutex) == 0);
    return 0;
}
