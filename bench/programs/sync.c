// A producer and a consumer of one place, with two condition variables. In the broken version the consumer does not
// wait when there is nothing.
#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 3
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER;
int number = 0;

void *produce(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (number > 0)
            pthread_cond_wait(&empty, &lock);
        number = number + 1;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *consume(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
#ifndef BROKEN
        while (number == 0)
            pthread_cond_wait(&full, &lock);
#endif
        number = number - 1;
        assert(number == 0);
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, produce, 0);
    pthread_create(&two, 0, consume, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(number == 0);
    return 0;
}
