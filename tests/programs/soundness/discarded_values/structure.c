// A structure as a statement is read as a whole.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static struct { int first, second[3]; } shared;

static void *work(void *argument)
{
    shared.second[1] = 1; // RACE
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared; // RACE
    pthread_join(thread, 0);
    return 0;
}
