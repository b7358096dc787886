// The thread may use the mutex before main has initialised it.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t *m;

void *f(void *arg) {
    pthread_mutex_lock(m); // VIOLATION
    pthread_mutex_unlock(m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    m = malloc(sizeof *m);
    pthread_create(&t, 0, f, 0);
    pthread_mutex_init(m, 0); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
