// A thread-local variable whose address is given away is shared like any other.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

_Thread_local int x;

void *worker(void *arg) {
    *(int *)arg = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, &x);
    x = 2; // VIOLATION
    pthread_join(t, 0);
    return 0;
}
