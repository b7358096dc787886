// The new thread can run before the creator has stored its handle.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_t t;

void *worker(void *arg) {
    return (void *)(pthread_equal(t, pthread_self()) ? 0 : &t); // VIOLATION
}

int main(void) {
    pthread_create(&t, 0, worker, 0); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
