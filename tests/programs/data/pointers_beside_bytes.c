// EXPECT proved
// Addresses go into the slots, wherever in the structure their index may seem to lead: not into the bytes of the tag.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct queue {
    union {
        char bytes[8];
        long align;
    } tag;
    int count;
    int *slots[2];
};

struct queue queue;
int item = 7;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *put(void *unused)
{
    pthread_mutex_lock(&lock);
    queue.slots[queue.count % 2] = &item;
    queue.count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    queue.tag.bytes[0] = 'q';
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, put, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(queue.tag.bytes[0] == 'q' && queue.count == 2);
    return 0;
}
