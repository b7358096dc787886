// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_t creator;

void *worker(void *arg) {
    pthread_join(creator, 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    creator = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0); // VIOLATION
    return 0;
}
