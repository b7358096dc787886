// A lock that is overwritten while it is held protects nothing: in an array, from another thread.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t locks[2];
int inside;

static void *other(void *arg) {
    memset(&locks[1], 0, sizeof locks[1]);
    pthread_mutex_lock(&locks[1]);
    assert(!inside); // VIOLATION
    pthread_mutex_unlock(&locks[1]);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&locks[1]);
    pthread_create(&t, 0, other, 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&locks[1]);
    pthread_join(t, 0);
    return 0;
}
