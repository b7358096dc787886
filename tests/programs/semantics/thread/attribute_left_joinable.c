// The attribute object was never told to detach, so the thread is left behind.
// PROPERTY no-thread-leak
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void) {
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_create(&t, &attributes, worker, 0); // VIOLATION
    return 0;
}
