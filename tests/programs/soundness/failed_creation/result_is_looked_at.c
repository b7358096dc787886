// EXPECT proved
// OPTION create-may-fail
#include <assert.h>
#include <pthread.h>

static int count;
static void *run(void *unused)
{
    count = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, run, 0) == 0) {
        pthread_join(thread, 0);
        assert(count == 1);
    } else {
        assert(count == 0);
    }
    return 0;
}
