// The thread that is joined leaves a thread of its own behind.
// PROPERTY no-thread-leak
// EXPECT violated
#include <pthread.h>

void *inner(void *unused) { return 0; }

void *outer(void *unused) {
    pthread_t t;
    pthread_create(&t, 0, inner, 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    return 0;
}
