// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
int runs;

static void second(void) {
    runs++;
}

static void first(void) {
    pthread_once(&inner, second);
    runs++;
}

static void *run(void *arg) {
    pthread_once(&outer, first);
    assert(runs == 2);
    pthread_exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_once(&outer, first);
    assert(runs == 2);
    pthread_join(t, 0);
    return 0;
}
