// Another thread may have joined it before: the second join does not wait.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_t t;

void *worker(void *arg) {
    x = 1; // VIOLATION
    return 0;
}

void *other(void *arg) {
    pthread_join(t, 0);
    return 0;
}

int main(void) {
    pthread_t o;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&o, 0, other, 0);
    pthread_join(t, 0);
    x++; // VIOLATION
    return 0;
}
