// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

_Thread_local int x;
int *p;

void *worker(void *arg) {
    p = &x;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return *p; // VIOLATION
}
