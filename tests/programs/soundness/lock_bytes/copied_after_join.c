// All operations on the mutex happen before it is copied.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct counter {
    pthread_mutex_t mutex;
    int value;
};

struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0}, copy;

void *count(void *unused) {
    pthread_mutex_lock(&counter.mutex);
    counter.value++;
    pthread_mutex_unlock(&counter.mutex);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    copy = counter;
    return copy.value;
}
