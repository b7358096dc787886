// The unknown function is called in a thread.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown the function has no body
#include <assert.h>
#include <pthread.h>
extern void each(void (*callback)(void));
static int ready;
static void check(void) {
    assert(ready);
}
static void *worker(void *argument) {
    each(check);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
