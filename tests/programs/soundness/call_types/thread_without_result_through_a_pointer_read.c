// EXPECT violated
#include <assert.h>
#include <pthread.h>

void work(void *argument) { (void)argument; }

int main(void)
{
    void *(*function)(void *) = (void *(*)(void *))work;
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, function, 0);
    pthread_join(thread, &result);
    assert(result == 0); // VIOLATION
    return 0;
}
