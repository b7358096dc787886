// The child outlives its parent.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

void *child(void *arg) {
    x = 1; // VIOLATION
    return 0;
}

void *parent(void *arg) {
    pthread_t c;
    pthread_create(&c, 0, child, 0);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, parent, 0);
    pthread_join(p, 0);
    x++; // VIOLATION
    return 0;
}
