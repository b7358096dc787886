// EXPECT proved
// The place of the next link is kept in a pointer, whose offset is not known before the order is: it must not make
// addresses of the numbers beside the links.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct job {
    long number;
    struct job *next;
};

struct job one = {1, NULL}, two = {2, NULL};
struct job *jobs, **last = &jobs;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *put(void *argument)
{
    struct job *job = argument;
    pthread_mutex_lock(&lock);
    *last = job;
    last = &job->next;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, put, &one);
    pthread_create(&b, NULL, put, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(one.number + two.number == 3);
    return 0;
}
