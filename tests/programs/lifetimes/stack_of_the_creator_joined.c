// The function waits for the thread.
// PROPERTY valid-deref
// EXPECT proved
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1;
    return 0;
}
void start(void) {
    int local = 0;
    pthread_t t;
    pthread_create(&t, 0, worker, &local);
    pthread_join(t, 0);
}
int main(void) {
    start();
    return 0;
}
