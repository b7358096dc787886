// EXPECT proved
#include <assert.h>
#include <pthread.h>

static void *run(void *argument)
{
    return argument;
}
static int one, two;

int main(void)
{
    pthread_t thread;
    void *result = &two;
    pthread_create(&thread, 0, run, &one);
    pthread_detach(thread);
    assert(pthread_join(thread, &result) != 0);
    assert(result == &two);
    return 0;
}
