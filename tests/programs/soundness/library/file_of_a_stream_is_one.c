// EXPECT proved
// NONDET 3..4
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *stream;
static int other;

static void *run(void *unused)
{
    other = fileno(stream);
    return 0;
}

int main(void)
{
    pthread_t thread;
    stream = fopen("a", "r");
    if (stream == 0)
        return 0;
    pthread_create(&thread, 0, run, 0);
    int own = fileno(stream);
    pthread_join(thread, 0);
    assert(own == other);
    return 0;
}
