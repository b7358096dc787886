// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t *volatile m;

int main(void) {
    pthread_mutex_lock(m); // VIOLATION
    return 0;
}
