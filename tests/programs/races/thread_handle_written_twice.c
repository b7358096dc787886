// Two threads store the handles of their threads in one variable.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_t handle;

void *idle(void *arg) { return 0; }

void *first(void *arg) {
    pthread_create(&handle, 0, idle, 0); // RACE
    return 0;
}

void *second(void *arg) {
    pthread_create(&handle, 0, idle, 0); // RACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
