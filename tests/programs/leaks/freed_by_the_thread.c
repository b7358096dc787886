// The thread frees what main allocates.
// PROPERTY valid-memcleanup
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *owner(void *arg) {
    free(arg);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, owner, malloc(4));
    pthread_join(t, 0);
    return 0;
}
