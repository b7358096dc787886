#include "queue.h"

int freed;

void *worker(void *p)
{
    struct item *item = take();
    int before = freed, value = item->value;
    assert(!(before == 1 && value == 7));
    return p;
}

int main(void)
{
    pthread_t a;
    memset(&queue, 0, sizeof queue);
    struct item *item = malloc(sizeof *item);
    item->value = 7;
    put(item);
    pthread_create(&a, 0, worker, 0);
    free(item);
    freed = 1;
    pthread_join(a, 0);
    return 0;
}
