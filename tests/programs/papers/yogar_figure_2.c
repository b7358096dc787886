// Yin, Dong, Liu, Wang: Scheduling constraint based abstraction refinement, figure 2.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x = 1, y = 1, m = 0, n = 0;

void *first(void *arg) {
    x = y + 1;
    m = y;
    x = 0;
    return 0;
}

void *second(void *arg) {
    y = x + 1;
    n = x;
    y = 0;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(m == 1 && n == 1));
    return 0;
}
