// A variable beside a constant is a place for the handle.
// PROPERTY valid-deref
// EXPECT proved
#include <pthread.h>

static void *run(void *argument) { return argument; }

int main(void)
{
    const int count = 1;
    pthread_t thread;
    for (int i = 0; i < count; i++)
        pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
