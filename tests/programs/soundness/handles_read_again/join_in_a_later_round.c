// Every way to the last write leads through a join, but the one that is executed last waits for another thread: the variable with
// the handle is assigned in each round.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

int written, asked, begun;

static void *look(void *arg) {
    while (!begun) {
    }
    asked = 1;
    int found = written;
    assert(found == 0); // VIOLATION
    return 0;
}

static void *idle(void *arg) {
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, look, 0);
    pthread_create(&threads[1], 0, idle, 0);
    int index = 0;
    for (;;) {
        pthread_t thread = threads[index];
        if (index == 0) {
            begun = 1;
            if (asked == 1) {
                index = 1;
                continue;
            }
        }
        pthread_join(thread, 0);
        if (index == 1)
            break;
        index = 1;
    }
    written = 1;
    return 0;
}
