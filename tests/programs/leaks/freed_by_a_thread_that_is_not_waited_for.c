// The process may end before the thread frees the memory.
// PROPERTY valid-memcleanup
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

void *owner(void *arg) {
    free(arg);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, owner, malloc(4)); // VIOLATION
    return 0;
}
