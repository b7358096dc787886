// Which of two atomic objects is read first is open, and another thread notices.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

static _Atomic int done, published;

static void *publish(void *argument)
{
    done = 1;
    published = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    assert(published <= done); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
