// Each thread has its own copy.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

__thread int own;

void *first(void *arg) {
    own++; // NORACE
    return 0;
}

void *second(void *arg) {
    own++; // NORACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
