/*
 * Producer and consumers with a mutex and a condition variable.
 *
 * A consumer must look again after it was woken up: `while`, not `if`. With `if`, it can be woken, come second to the
 * lock, and take an item that another consumer has taken already:
 *
 *     gordian check producer_consumer.c            PROVED
 *     gordian check producer_consumer.c -D ONCE    VIOLATED
 */
#include <assert.h>
#include <pthread.h>

#ifdef ONCE
#define WAIT_IF if
#else
#define WAIT_IF while
#endif

int items;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t produced = PTHREAD_COND_INITIALIZER;

static void produce(void)
{
    pthread_mutex_lock(&lock);
    items = items + 1;
    pthread_cond_broadcast(&produced);
    pthread_mutex_unlock(&lock);
}

void *producer(void *argument)
{
    produce();
    produce();
    return NULL;
}

void *consumer(void *argument)
{
    pthread_mutex_lock(&lock);
    WAIT_IF (items == 0)
        pthread_cond_wait(&produced, &lock);
    assert(items > 0);
    items = items - 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t make, take, take_too;
    pthread_create(&take, NULL, consumer, NULL);
    pthread_create(&take_too, NULL, consumer, NULL);
    pthread_create(&make, NULL, producer, NULL);
    pthread_join(make, NULL);
    pthread_join(take, NULL);
    pthread_join(take_too, NULL);
    return 0;
}
