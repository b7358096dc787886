// Items go through a queue of pointers, each slot found at an index that other threads change.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int value;
};

struct queue {
    pthread_mutex_t lock;
    int first, count;
    struct item *slots[4];
    char name[3];
};

struct queue queue;

void put(struct item *item)
{
    pthread_mutex_lock(&queue.lock);
    queue.slots[(queue.first + queue.count) % 4] = item;
    queue.count++;
    pthread_mutex_unlock(&queue.lock);
}

struct item *take(void)
{
    pthread_mutex_lock(&queue.lock);
    struct item *item = queue.slots[queue.first];
    queue.first = (queue.first + 1) % 4;
    queue.count--;
    pthread_mutex_unlock(&queue.lock);
    return item;
}
