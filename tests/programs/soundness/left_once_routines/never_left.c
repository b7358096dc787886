// Only where an execution ends in the routine.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_once_t control = PTHREAD_ONCE_INIT;
int runs;

static void routine(void) {
    if (runs > 0) {
        pthread_exit(0);
    }
    runs++;
}

int main(void) {
    pthread_once(&control, routine);
    pthread_once(&control, routine);
    return 0;
}
