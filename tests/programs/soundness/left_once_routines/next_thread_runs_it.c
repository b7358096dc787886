// glibc gives the control back when the thread ends, and the next thread runs the routine again.
// EXPECT unknown
#include <assert.h>
#include <pthread.h>

pthread_once_t control = PTHREAD_ONCE_INIT;
int runs;

static void routine(void) {
    runs++;
    if (runs == 1) {
        pthread_exit(0);
    }
}

static void *run(void *arg) {
    pthread_once(&control, routine);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_once(&control, routine);
    assert(runs == 1);
    return 0;
}
