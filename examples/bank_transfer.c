/*
 * Check, then act: two transfers from one account, each with a lock around every single access and still wrong.
 *
 * Both threads find enough money before either takes it, and the account is overdrawn. The lock has to be held from
 * the check to the withdrawal:
 *
 *     gordian check bank_transfer.c                VIOLATED: the balance becomes negative
 *     gordian check bank_transfer.c -D ATOMIC      PROVED
 */
#include <assert.h>
#include <pthread.h>

int balance = 100;
int transferred;
pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;

void *transfer(void *argument)
{
    int amount = 70;

    pthread_mutex_lock(&account);
    int enough = balance >= amount;
#ifndef ATOMIC
    pthread_mutex_unlock(&account);
    pthread_mutex_lock(&account);
#endif
    if (enough) {
        balance = balance - amount;
        transferred = transferred + amount;
    }
    pthread_mutex_unlock(&account);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, transfer, NULL);
    pthread_create(&second, NULL, transfer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance + transferred == 100);
    assert(balance >= 0);
    return 0;
}
