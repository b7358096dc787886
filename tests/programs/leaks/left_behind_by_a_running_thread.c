// The process may end while the thread has memory of its own.
// PROPERTY valid-memcleanup
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

void *work(void *unused) {
    int *own = malloc(sizeof(int)); // VIOLATION
    *own = 1;
    free(own);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return 0;
}
