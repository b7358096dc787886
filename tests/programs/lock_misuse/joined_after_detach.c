// A thread that detaches itself cannot be joined.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

void *f(void *arg) {
    pthread_detach(pthread_self());
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0); // VIOLATION
    return 0;
}
