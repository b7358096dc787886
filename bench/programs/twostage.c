// A setter changes one value under one lock and then a second one, which depends on the first, under another. Between
// the two a reader sees the first change without the second.
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 2
#endif
#ifndef READERS
#define READERS 1
#endif

pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
int first = 0;
int second = 0;

void *set(void *unused)
{
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = first + 1;
    pthread_mutex_unlock(&second_lock);
    return 0;
}

void *look(void *unused)
{
    int seen, derived;
    pthread_mutex_lock(&first_lock);
    seen = first;
    pthread_mutex_unlock(&first_lock);
    if (seen == 0)
        return 0;
    pthread_mutex_lock(&second_lock);
    derived = second;
    pthread_mutex_unlock(&second_lock);
    assert(derived == seen + 1);
    return 0;
}

int main(void)
{
    pthread_t setters[SETTERS], readers[READERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], 0, set, 0);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], 0, look, 0);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], 0);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], 0);
    return 0;
}
