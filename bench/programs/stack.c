// One thread pushes and the other pops, each operation under the lock. The broken version pops without looking.
#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 5
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int items[ITEMS];
int top = 0;

void *push(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        assert(top < ITEMS);
        items[top] = i;
        top++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *pop(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
#ifndef BROKEN
        if (top > 0)
#endif
        {
            assert(top > 0);
            top--;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, push, 0);
    pthread_create(&two, 0, pop, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
