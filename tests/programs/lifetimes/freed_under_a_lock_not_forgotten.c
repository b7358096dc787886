// The pointer stays where the reader finds it.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *shared;
void *reader(void *arg) {
    pthread_mutex_lock(&lock);
    if (shared)
        *shared = 2; // VIOLATION
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t t;
    shared = malloc(sizeof(int));
    pthread_create(&t, 0, reader, 0);
    pthread_mutex_lock(&lock);
    free(shared);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
