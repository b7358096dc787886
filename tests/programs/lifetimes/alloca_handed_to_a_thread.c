// What alloca gives ends when its function returns, thread or not.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1; // VIOLATION
    return 0;
}
pthread_t start(void) {
    pthread_t t;
    int *p = __builtin_alloca(sizeof(int));
    *p = 0;
    pthread_create(&t, 0, worker, p);
    return t;
}
int main(void) {
    pthread_t t = start();
    pthread_join(t, 0);
    return 0;
}
