// EXPECT violated
#include <assert.h>
#include <pthread.h>

static void *run(void *argument)
{
    return argument;
}
static int one, two;
static void *result = &two;

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, &one);
    pthread_join(thread, &result);
    assert(result == &two); // VIOLATION
    return 0;
}
