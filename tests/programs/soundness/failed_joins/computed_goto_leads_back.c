// EXPECT proved
// TREES unknown labels as values
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
    pthread_join(thread, &result);
    void *next[2] = {&&again, &&end};
    goto *next[joins++];
end:
    assert(result == &one);
    return 0;
}
