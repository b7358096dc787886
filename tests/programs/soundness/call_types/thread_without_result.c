// EXPECT violated
#include <assert.h>
#include <pthread.h>

void nothing(void *argument) { (void)argument; }

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, (void *(*)(void *))nothing, 0);
    pthread_join(thread, &result);
    assert(result == 0); // VIOLATION
    return 0;
}
