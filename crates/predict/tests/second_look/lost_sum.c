#include "queue.h"

int sum;

void *worker(void *p)
{
    struct item *item = take();
    int old = sum;
    sum = old + item->value;
    return p;
}

int main(void)
{
    pthread_t a, b;
    memset(&queue, 0, sizeof queue);
    for (int i = 0; i < 2; i++) {
        struct item *item = malloc(sizeof *item);
        item->value = 1;
        put(item);
    }
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 2);
    return 0;
}
