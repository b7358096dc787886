// EXPECT violated
#include <assert.h>
#include <pthread.h>

static int x;

static void *run(void *argument)
{
    x = 1;
    return argument;
}

struct operations {
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*join)(pthread_t, void **);
};
static struct operations operations = { pthread_create, pthread_join };

int main(void)
{
    pthread_t thread;
    assert(operations.create(&thread, 0, run, 0) == 0);
    operations.join(thread, 0);
    assert(x == 0); // VIOLATION
    return 0;
}
