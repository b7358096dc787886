// EXPECT violated
// NATIVE no it sleeps for a long time
#include <pthread.h>
#include <assert.h>
#include <unistd.h>

int x;

void *worker(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    sleep(10);
    assert(x == 1); // VIOLATION
    return 0;
}
