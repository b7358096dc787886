// The number of the thread that is created last depends on the order; so a handle that is read from shared memory must not
// be expected to be what it was in the run.
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_t inner;

void *deepest(void *unused)
{
    y = x;
    return 0;
}

void *outer(void *unused)
{
    pthread_create(&inner, 0, deepest, 0);
    pthread_join(inner, 0);
    return 0;
}

void *idle(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, outer, 0);
    x = 1;
    pthread_create(&b, 0, idle, 0);
    pthread_join(a, 0);
    assert(x == 0);
    return 0;
}
