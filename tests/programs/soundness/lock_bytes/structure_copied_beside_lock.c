// The copy of a structure reads the mutex in it, which another thread locks meanwhile.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct counter {
    pthread_mutex_t mutex;
    int value;
};

struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0}, copy;

void *first(void *unused) {
    pthread_mutex_lock(&counter.mutex);   // RACE
    pthread_mutex_unlock(&counter.mutex); // RACE
    return 0;
}

void *second(void *unused) {
    copy = counter; // RACE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
