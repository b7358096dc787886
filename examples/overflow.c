/* A time-out in minutes becomes one in milliseconds, which an int holds only for some 35,000 minutes. */
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int minutes;

void *configure(void *argument)
{
    pthread_mutex_lock(&lock);
    minutes = atoi(argument);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int milliseconds;
    if (argc != 2)
        return 2;
    pthread_create(&thread, NULL, configure, argv[1]);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
    milliseconds = minutes * 60 * 1000;
    pthread_mutex_unlock(&lock);
    return milliseconds < 0;
}
