// Both threads find the pointer before either forgets it.
// PROPERTY valid-free
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *shared;
void *drop(void *arg) {
    int *p = shared;
    if (p) {
        free(p); // VIOLATION
        shared = 0;
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    shared = malloc(sizeof(int));
    pthread_create(&a, 0, drop, 0);
    pthread_create(&b, 0, drop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
