// A handler that is registered at the last moment is called or not, as a whole.
// PROPERTY valid-deref
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

static void nothing(void) {}

static void *run(void *unused)
{
    atexit(nothing);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    exit(0);
}
