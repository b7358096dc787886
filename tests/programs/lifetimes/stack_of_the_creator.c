// The function that owns the variable may return before the thread uses it.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1; // VIOLATION
    return 0;
}
pthread_t start(void) {
    int local = 0;
    pthread_t t;
    pthread_create(&t, 0, worker, &local);
    return t;
}
int main(void) {
    pthread_t t = start();
    pthread_join(t, 0);
    return 0;
}
