// The process ends with main; the thread may or may not have come to its assertion.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x;

void *late(void *arg) {
    assert(x == 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, late, 0);
    x = 1;
    return 0;
}
