// Everything before the creation of its parent is before a thread, too.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

void *grandchild(void *arg) {
    x++;
    return 0;
}

void *child(void *arg) {
    x = 2;
    pthread_t g;
    pthread_create(&g, 0, grandchild, 0);
    return 0;
}

int main(void) {
    pthread_t c;
    x = 1;
    pthread_create(&c, 0, child, 0);
    return 0;
}
