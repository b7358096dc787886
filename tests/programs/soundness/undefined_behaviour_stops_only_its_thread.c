// What a thread did before it divides by zero can be seen by others, also where nobody asks about division.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x, sink;

void *divide(void *zero) {
    int divisor = (int)(long)zero;
    x = 1;
    sink = 1 / divisor;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, divide, 0);
    assert(x == 0); // VIOLATION
    return 0;
}
