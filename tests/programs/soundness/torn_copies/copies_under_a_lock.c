// Under a lock a copy is whole.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    int left, right;
} shared, ones = {1, 1}, twos = {2, 2};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *copy(void *source) {
    pthread_mutex_lock(&lock);
    memcpy(&shared, source, sizeof shared);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, copy, &ones);
    pthread_create(&second, 0, copy, &twos);
    pthread_mutex_lock(&lock);
    assert(shared.left == shared.right);
    pthread_mutex_unlock(&lock);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(shared.left == shared.right);
    return 0;
}
