// The join of the thread itself orders nothing, and that of main waits.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

static void *run(void *arg) {
    pthread_join(pthread_self(), 0);
    x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    x = 2; // RACE
    pthread_join(t, 0);
    return 0;
}
