// POSIX leaves the contents of the handle undefined.
// EXPECT violated
// OPTION create-may-fail
// NONDET 0..2
#include <assert.h>
#include <pthread.h>

static void *run(void *unused) { return 0; }
static pthread_t thread;

int main(void)
{
    if (pthread_create(&thread, 0, run, 0) != 0)
        assert(thread == 0); // VIOLATION
    return 0;
}
