// Only the creator joins the thread.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;
pthread_t t;

void *worker(void *arg) {
    x = 1;
    return 0;
}

void *other(void *arg) {
    return 0;
}

int main(void) {
    pthread_t o;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&o, 0, other, 0);
    pthread_join(t, 0);
    x++;
    return 0;
}
