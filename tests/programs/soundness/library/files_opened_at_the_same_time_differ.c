// EXPECT proved
// NONDET 3..4
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

static int other = -1;

static void *run(void *unused)
{
    other = open("b", O_RDONLY);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    int own = open("a", O_RDONLY);
    pthread_join(thread, 0);
    assert(own < 0 || own != other);
    return 0;
}
