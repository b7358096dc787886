// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *argument)
{
    atomic_fetch_add(&x, 1);
    return argument;
}

int main(void)
{
    pthread_t thread;
    atomic_init(&x, 1);
    pthread_create(&thread, 0, work, 0);
    atomic_load(&x);
    pthread_join(thread, 0);
    return 0;
}
