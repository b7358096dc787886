// Each of two threads takes one step, main creates and joins in order: the first thread's step is before or after the
// second creation (2), and the join of the first, if its step came early, before or after the second's step.
// Early: create, a, create, then b and join 1 in 2 orders. Late: create, create, then a before join 1, b anywhere: 3.
// EXPECT proved
// EXECUTIONS 5
#include <pthread.h>
#include <assert.h>

int x, y;

void *first(void *arg) {
    x = 1;
    return 0;
}

void *second(void *arg) {
    y = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 1 && y == 1);
    return 0;
}
