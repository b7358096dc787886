// A local deadlock: one thread waits for itself while another could go on for ever.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
#include <sched.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *runner(void *arg) {
    for (;;) sched_yield();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, runner, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // VIOLATION
    return 0;
}
