// The result of the thread points into its stack.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) {
    int local = 1;
    return &local;
}
int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    return *(int *)result; // VIOLATION
}
