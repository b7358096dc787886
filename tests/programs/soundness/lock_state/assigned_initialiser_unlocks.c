// So does an assignment of a fresh mutex.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

struct guarded {
    int x;
    pthread_mutex_t m;
} g;

int main(void) {
    pthread_mutex_lock(&g.m);
    g.m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&g.m);
    assert(0); // VIOLATION
    return 0;
}
