// EXPECT violated
#include <assert.h>
#include <pthread.h>

static int n, result;

static int next(void)
{
    return ++n;
}

static void *work(void *argument)
{
    result = 10 * next() + next();
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(result == 12); // VIOLATION
    return 0;
}
