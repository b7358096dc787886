// The same in a member of a constant structure, in a thread.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

struct job { int number; pthread_t thread; };
static void *run(void *argument) { return argument; }

static void *start(void *argument)
{
    const struct job job = {1, 0};
    pthread_create((pthread_t *)&job.thread, 0, run, 0); // VIOLATION
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, start, 0);
    pthread_join(thread, 0);
    return 0;
}
