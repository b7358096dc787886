// PROPERTY no-data-race
// EXPECT violated
// OPTION create-may-fail
#include <pthread.h>

static pthread_t shared;
static pthread_t seen;

static void *look(void *unused)
{
    seen = shared; // RACE
    return 0;
}
static void *run(void *unused) { return 0; }

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, look, 0) != 0)
        return 0;
    if (pthread_create(&shared, 0, run, 0) == 0) // RACE
        return 0;
    pthread_join(thread, 0);
    return 0;
}
