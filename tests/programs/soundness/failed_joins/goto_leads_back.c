// The second join fails and leaves the result of the first.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

static int one;
static void *run(void *argument) { return argument; }

int main(void)
{
    pthread_t thread;
    void *result;
    int joins = 0;
    pthread_create(&thread, 0, run, &one);
again:
    if (joins < 2) {
        pthread_join(thread, &result);
        joins++;
        goto again;
    }
    assert(result == &one);
    return 0;
}
