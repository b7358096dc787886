// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

union word {
    short halves[2];
    int whole;
};
static _Atomic union word shared;

static void *run(void *argument)
{
    union word expected = { .whole = 0 }, desired = { .whole = 5 };
    atomic_compare_exchange_strong(&shared, &expected, desired);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    union word new = { .whole = 7 };
    union word old = atomic_exchange(&shared, new);
    assert(old.whole == 0); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
