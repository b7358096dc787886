// `(void)name` of a plain object only silences a compiler: it is no access. A member or what a pointer leads to is one.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

static int shared;

static void *work(void *argument)
{
    shared = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    int local = 0;
    pthread_create(&thread, 0, work, 0);
    (void)shared; // NORACE
    local;
    pthread_join(thread, 0);
    shared;
    return 0;
}
