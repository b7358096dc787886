// The number beside a handle is not the handle's.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
struct worker { pthread_t thread; long number; int done; };
struct worker workers[2];
static void *run(void *argument) {
    struct worker *worker = argument;
    worker->done = worker->number > 0;
    return 0;
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        workers[i].number = i + 1;
        pthread_create(&workers[i].thread, 0, run, &workers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i].thread, 0);
    assert(workers[0].done && workers[1].done && workers[0].number < workers[1].number);
    return 0;
}
