// Each thread has a place of its own.
// PROPERTY valid-memtrack
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

int *shared[2];
void *first(void *arg) {
    shared[0] = malloc(4);
    return 0;
}
void *second(void *arg) {
    shared[1] = malloc(4);
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
