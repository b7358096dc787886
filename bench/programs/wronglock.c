// Setters protect the value with one lock, the others with a lock of their own, which protects from nobody.
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 1
#endif
#ifndef OTHERS
#define OTHERS 3
#endif

pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
int value = 0;

void *set(void *unused)
{
    int before;
    pthread_mutex_lock(&right);
    before = value;
    value = value + 1;
    assert(value == before + 1);
    pthread_mutex_unlock(&right);
    return 0;
}

void *other(void *unused)
{
    pthread_mutex_lock(&wrong);
    value = value + 1;
    pthread_mutex_unlock(&wrong);
    return 0;
}

int main(void)
{
    pthread_t setters[SETTERS], others[OTHERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], 0, set, 0);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&others[i], 0, other, 0);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], 0);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(others[i], 0);
    return 0;
}
