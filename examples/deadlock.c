/* Two transfers in opposite directions: each holds one account and waits for the other. */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

void *pay_rent(void *unused)
{
    transfer(&alice, &bob, 50);
    return NULL;
}

void *pay_back(void *unused)
{
    transfer(&bob, &alice, 20);
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
