// A thread creates, the main thread joins both.
// PROPERTY no-thread-leak
// EXPECT proved
#include <pthread.h>
pthread_t second;

void *inner(void *unused) { return 0; }

void *outer(void *unused) {
    pthread_create(&second, 0, inner, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    pthread_join(second, 0);
    return 0;
}
