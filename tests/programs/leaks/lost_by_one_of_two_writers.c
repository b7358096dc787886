// One pointer overwrites the other.
// PROPERTY valid-memtrack
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *shared;
void *writer(void *arg) {
    shared = malloc(4); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
