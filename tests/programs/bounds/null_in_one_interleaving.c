// The pointer may not be set yet.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

int x;
int *shared;
void *setter(void *arg) {
    shared = &x;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, setter, 0);
    *shared = 1; // VIOLATION
    pthread_join(t, 0);
    return 0;
}
