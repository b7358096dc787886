// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *argument)
{
    atomic_init(&x, 1); // RACE
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    atomic_load(&x); // RACE
    pthread_join(thread, 0);
    return 0;
}
