// And whether it is a valid shift count.
// PROPERTY no-bad-shift
// EXPECT unknown
#include <pthread.h>

static void *run(void *argument) { return argument; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    unsigned long bits = 1ul << ((unsigned long)thread & 127);
    pthread_join(thread, 0);
    (void)bits;
    return 0;
}
