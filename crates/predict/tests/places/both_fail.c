// The second thread fails in every complete execution. The first one, which passes in the run, can fail only if the second one
// fails, too, but it may do so before.
#include <assert.h>
#include <pthread.h>

int x;

void *first(void *unused)
{
    assert(x == 0);
    return 0;
}

void *second(void *unused)
{
    assert(x == 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    x = 1;
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
