// Each thread raises its flag and looks at the other's; one does both in one expression.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

static _Atomic int raised[2], seen[2];

static int raise_first(void)
{
    raised[0] = 1;
    return 0;
}

static int look(void)
{
    return raised[1];
}

static void *other(void *argument)
{
    raised[1] = 1;
    seen[1] = raised[0];
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    seen[0] = raise_first() + look();
    pthread_join(thread, 0);
    assert(seen[0] || seen[1]); // VIOLATION
    return 0;
}
