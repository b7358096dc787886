// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

static int x;

static void *run(void *argument)
{
    x = 1;
    return argument;
}

static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
static int (*join)(pthread_t, void **) = pthread_join;

int main(void)
{
    pthread_t thread;
    create(&thread, 0, run, 0);
    join(thread, 0);
    return x;
}
