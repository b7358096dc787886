// Two variables under two locks, which two threads change in opposite directions.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 5
#endif

pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
int first = 10;
int second = 10;

void *up(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&first_lock);
        first = first + 1;
        pthread_mutex_unlock(&first_lock);
        pthread_mutex_lock(&second_lock);
        second = second + 1;
        pthread_mutex_unlock(&second_lock);
    }
    return 0;
}

void *down(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&first_lock);
        first = first - 1;
        pthread_mutex_unlock(&first_lock);
        pthread_mutex_lock(&second_lock);
        second = second - 1;
        pthread_mutex_unlock(&second_lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, up, 0);
    pthread_create(&two, 0, down, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(first == 10 && second == 10);
    return 0;
}
