// EXPECT unknown
#include <assert.h>
#include <pthread.h>

extern int outside(void);
int seen;

static void *work(void *argument)
{
    seen = outside();
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(seen == 0);
    return 0;
}
