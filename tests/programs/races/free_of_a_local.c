// What is freed was never allocated: that is undefined, and no race with those who use it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *shared;

void *use(void *unused)
{
    pthread_mutex_lock(&lock);
    if (shared)
        *shared = 0; // NORACE
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *lend(void *unused)
{
    int local = 0;
    pthread_mutex_lock(&lock);
    shared = &local;
    pthread_mutex_unlock(&lock);
    free(shared); // NORACE
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, lend, NULL);
    pthread_create(&second, NULL, use, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
