// pthread_exit ends the variables of all functions under way.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

int *shared;
void leave(void) { pthread_exit(0); }
void *worker(void *arg) {
    int local = 1;
    shared = &local;
    leave();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return *shared; // VIOLATION
}
