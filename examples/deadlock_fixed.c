/* As deadlock.c, but everybody locks the accounts in the same order. */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};

void transfer(struct account *from, struct account *to, int amount)
{
    struct account *lower = from < to ? from : to;
    struct account *upper = from < to ? to : from;
    pthread_mutex_lock(&lower->lock);
    pthread_mutex_lock(&upper->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

void *pay_rent(void *unused)
{
    transfer(&accounts[0], &accounts[1], 50);
    return NULL;
}

void *pay_back(void *unused)
{
    transfer(&accounts[1], &accounts[0], 20);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, pay_rent, NULL);
    pthread_create(&second, NULL, pay_back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
