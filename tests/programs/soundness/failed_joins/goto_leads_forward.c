// A label behind the join changes nothing: the result is indeterminate.
// EXPECT violated
// TREES unknown an indeterminate pointer is compared
#include <assert.h>
#include <pthread.h>

static int one;
static void *run(void *argument) { return argument; }

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, run, &one);
    pthread_detach(thread);
    if (pthread_join(thread, &result) != 0)
        goto end;
    return 0;
end:
    assert(result == &one); // VIOLATION
    return 0;
}
