// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int a, b;
};
static _Atomic struct pair shared;

static void *run(void *argument)
{
    struct pair new = { 1, 1 };
    atomic_store(&shared, new);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    struct pair seen = atomic_load(&shared);
    assert(seen.a == seen.b);
    pthread_join(thread, 0);
    seen = shared;
    assert(seen.a == 1 && seen.b == 1);
    return 0;
}
