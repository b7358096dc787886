// The running example of Cordeiro and Fischer (ICSE 2011): two threads increment x and decrement it again if they see
// it above one. Thread 2 keeps the outcome of its test in a variable, so that it may be outdated when it is used.
#include <assert.h>
#include <pthread.h>

int x = 0;

void *first(void *unused)
{
    x++;
    if (x > 1)
        x--;
    return 0;
}

void *second(void *unused)
{
    _Bool above;
    x++;
    above = (x > 1);
    if (above)
        x--;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(x == 1);
    return 0;
}
