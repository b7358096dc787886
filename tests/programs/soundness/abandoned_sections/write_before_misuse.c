// The section unlocks what it does not hold, after a write that races.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *writer(void *arg) {
    __VERIFIER_atomic_begin();
    x = 2; // RACE
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    x++; // RACE
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
