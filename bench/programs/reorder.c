// Setters write a and then b without a lock; a checker that looks in between sees only one of the two stores.
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 2
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

int a = 0;
int b = 0;

void *set(void *unused)
{
    a = 1;
    b = -1;
    return 0;
}

void *look(void *unused)
{
    int first = a;
    int second = b;
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return 0;
}

int main(void)
{
    pthread_t setters[SETTERS], checkers[CHECKERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], 0, set, 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&checkers[i], 0, look, 0);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_join(checkers[i], 0);
    return 0;
}
