// EXPECT violated
#include <assert.h>
#include <pthread.h>

int minus_one(void *argument)
{
    (void)argument;
    return -1;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, (void *(*)(void *))minus_one, 0);
    pthread_join(thread, &result);
    assert((int)(long)result == -1);
    assert(result == (void *)-1); // VIOLATION
    return 0;
}
