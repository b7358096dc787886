// The macros of <stdatomic.h> are statements inside of expressions.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, published;

static int is_too_early(int is_published, int is_done)
{
    return is_published && !is_done;
}

static void *publish(void *argument)
{
    atomic_store(&done, 1);
    atomic_store(&published, 1);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    int early = is_too_early(atomic_load(&published), atomic_load(&done));
    assert(!early); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
