// EXPECT proved
#include <assert.h>
#include <pthread.h>

int done;

void work(void *argument) { *(int *)argument = 1; }

int main(void)
{
    void *(*function)(void *) = (void *(*)(void *))work;
    pthread_t thread;
    pthread_create(&thread, 0, function, &done);
    pthread_join(thread, 0);
    assert(done == 1);
    return 0;
}
