// Only the thread itself starts after its handle is stored; those that run already are not ordered with it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_t t, u;

void *reader(void *arg) {
    return (void *)(pthread_equal(u, pthread_self()) ? &u : 0); // VIOLATION
}

void *worker(void *arg) {
    return 0;
}

int main(void) {
    pthread_create(&t, 0, reader, 0);
    pthread_create(&u, 0, worker, 0); // VIOLATION
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
