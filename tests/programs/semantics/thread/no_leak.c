// Joined, detached, created detached, or detached by itself: nothing is left behind.
// PROPERTY no-thread-leak
// EXPECT proved
#include <pthread.h>

void *worker(void *arg) { return 0; }

void *detaches_itself(void *arg) {
    pthread_detach(pthread_self());
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3, t4;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_create(&t3, &attributes, worker, 0);
    pthread_create(&t4, 0, detaches_itself, 0);
    pthread_detach(t2);
    pthread_join(t1, 0);
    pthread_exit(0);
}
