// In the run both assertions pass. Each fails in other orders, and the first one that does ends the execution.
#include <assert.h>
#include <pthread.h>

int x = 2;

void *reader(void *unused)
{
    assert(x != 0);
    return 0;
}

void *writer(void *unused)
{
    x = x * 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    assert(x <= 0);
    return 0;
}
