// One thread fills a queue under a lock and says so, the other empties it when it is full. In the broken version the
// second thread does not wait for the sign.
#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 8
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int items[ITEMS];
int head = 0;
int tail = 0;
_Bool filled = 0;

void *fill(void *unused)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < ITEMS; i++) {
        items[tail] = i * i;
        tail++;
    }
    filled = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *empty(void *unused)
{
    pthread_mutex_lock(&lock);
#ifndef BROKEN
    if (filled)
#endif
        for (int i = 0; i < ITEMS; i++) {
            assert(head < tail);
            assert(items[head] == i * i);
            head++;
        }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, fill, 0);
    pthread_create(&two, 0, empty, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
