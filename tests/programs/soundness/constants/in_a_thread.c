// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

static const long limit = 10;

static void *work(void *argument)
{
    *(long *)argument = 11; // VIOLATION
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)&limit);
    pthread_join(thread, 0);
    return 0;
}
