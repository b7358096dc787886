// The parent writes after it has created the thread.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

void *grandchild(void *arg) {
    x++; // VIOLATION
    return 0;
}

void *child(void *arg) {
    pthread_t g;
    pthread_create(&g, 0, grandchild, 0);
    x = 2; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t c;
    x = 1;
    pthread_create(&c, 0, child, 0);
    return 0;
}
