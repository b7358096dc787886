// EXPECT violated
// ENGINES unknown comparison of a dangling pointer
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *shared;
static void *run(void *unused) {
    free(shared);
    return 0;
}
int main(void) {
    pthread_t thread;
    shared = malloc(4);
    int *old = shared;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    int *new = malloc(4);
    assert(old != new); // VIOLATION
    free(new);
    return 0;
}
