// Reading an atomic object is an effect, which `(void)` does not take away: it races with a plain initialisation.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

static void *work(void *argument)
{
    (void)shared; // RACE
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    atomic_init(&shared, 1); // RACE
    pthread_join(thread, 0);
    return 0;
}
