// Clients stand in a circle: each moves money from its own account to the next one, under the locks of both. But it looks at
// the two balances in critical sections of their own first, and what it saw may be old then. With FIX=2 a client reserves
// an account before it looks, with a flag under a lock and a condition variable; with FIX=1 only accounts with an even
// number can be reserved, which repairs one half.
#include <pthread.h>

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef FIX
#define FIX 0
#endif
#define LIMIT 1000

int balance[CLIENTS];
pthread_mutex_t lock[CLIENTS];

int reserved[CLIENTS];
pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int is_reservable(int account)
{
    return FIX == 2 || (FIX == 1 && account % 2 == 0);
}

void reserve(int account)
{
    if (!is_reservable(account))
        return;
    pthread_mutex_lock(&desk);
    while (reserved[account])
        pthread_cond_wait(&changed, &desk);
    reserved[account] = 1;
    pthread_mutex_unlock(&desk);
}

void release(int account)
{
    if (!is_reservable(account))
        return;
    pthread_mutex_lock(&desk);
    reserved[account] = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&desk);
}

int look(int account)
{
    pthread_mutex_lock(&lock[account]);
    int money = balance[account];
    pthread_mutex_unlock(&lock[account]);
    return money;
}

// Both are reserved when it returns, as far as they can be: odd accounts before even ones.
void transfer(int odd, int even, int amount)
{
    reserve(odd);
    int of_odd = look(odd);
    reserve(even);
    int of_even = look(even);
    if (of_odd < -LIMIT || of_odd > LIMIT || of_even < -LIMIT || of_even > LIMIT)
        return;
    pthread_mutex_lock(&lock[odd]);
    pthread_mutex_lock(&lock[even]);
    balance[odd] = balance[odd] - amount;
    balance[even] = balance[even] + amount;
    pthread_mutex_unlock(&lock[even]);
    pthread_mutex_unlock(&lock[odd]);
}

void *client(void *number)
{
    int own = (int)(long)number, next = (own + 1) % CLIENTS;
    if (own % 2) {
        transfer(own, next, 1);
    } else {
        transfer(next, own, -1);
    }
    release(own);
    release(next);
    return 0;
}

int main(void)
{
    pthread_t clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        balance[i] = 100;
        pthread_mutex_init(&lock[i], 0);
    }
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], 0, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], 0);
    return 0;
}
