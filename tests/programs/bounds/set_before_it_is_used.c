// The thread is joined before the pointer is used.
// PROPERTY valid-deref
// EXPECT proved
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
    pthread_join(t, 0);
    *shared = 1;
    return 0;
}
