// A constant handle cannot be written, by `pthread_create` neither.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

static void *work(void *argument) { return argument; }

int main(void)
{
    const pthread_t thread = 0;
    pthread_create((pthread_t *)&thread, 0, work, 0); // VIOLATION
    return 0;
}
