// EXPECT violated
// OPTION create-may-fail
#include <assert.h>
#include <pthread.h>

static void *run(void *unused) { return 0; }

int main(void)
{
    pthread_t thread = pthread_self(), own = thread;
    if (pthread_create(&thread, 0, run, 0) != 0)
        assert(!pthread_equal(thread, own)); // VIOLATION
    return 0;
}
