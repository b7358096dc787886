/* On one path the lock is released twice; the second time it belongs to somebody else, or to nobody. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stock = 1;

void *buy(void *unused)
{
    pthread_mutex_lock(&lock);
    if (stock == 0)
        pthread_mutex_unlock(&lock);
    else
        stock--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, buy, NULL);
    pthread_create(&second, NULL, buy, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
