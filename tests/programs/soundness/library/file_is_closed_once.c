// EXPECT proved
// NONDET 3..4
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file, other;

static void *run(void *unused)
{
    other = close(file);
    return 0;
}

int main(void)
{
    pthread_t thread;
    file = open("a", O_RDONLY);
    if (file < 0)
        return 0;
    pthread_create(&thread, 0, run, 0);
    int own = close(file);
    pthread_join(thread, 0);
    assert(own != 0 || other != 0);
    return 0;
}
