// A bank with many accounts: every client moves money between accounts, one account at a time, and in the end the sum must
// be what it was. Each account has its lock. With BROKEN, a deposit reads the balance before it takes the lock.
#include <assert.h>
#include <pthread.h>

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef MOVES
#define MOVES 4
#endif
#define ACCOUNTS 32

int balance[ACCOUNTS];
pthread_mutex_t lock[ACCOUNTS];

void deposit(int account, int amount)
{
#ifdef BROKEN
    int old = balance[account];
    pthread_mutex_lock(&lock[account]);
    balance[account] = old + amount;
#else
    pthread_mutex_lock(&lock[account]);
    balance[account] = balance[account] + amount;
#endif
    pthread_mutex_unlock(&lock[account]);
}

void *client(void *number)
{
    int self = (int)(long)number;
    for (int i = 0; i < MOVES; i++) {
        deposit((self + i) % ACCOUNTS, -1);
        deposit((self + i + 1) % ACCOUNTS, 1);
    }
    return 0;
}

int main(void)
{
    pthread_t clients[CLIENTS];
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_init(&lock[i], 0);
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], 0, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], 0);
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += balance[i];
    assert(sum == 0);
    return 0;
}
