// Adjacent bit-fields are one memory location.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct {
    unsigned a : 4, b : 4;
} s;

void *worker(void *arg) {
    s.a = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    s.b = 1; // VIOLATION
    pthread_join(t, 0);
    return 0;
}
