// Clients move money under nested locks, but look at the balance in a critical section of its own first. FIX=1 makes every
// second client wait for its turn, FIX=2 all of them: with a turn under a lock and a condition variable.
#include <pthread.h>

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef FIX
#define FIX 0
#endif

int accounts[2] = { 100, 100 };
pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int turn;
pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;

void transfer(int amount)
{
    pthread_mutex_lock(&locks[0]);
    int have = accounts[0];
    pthread_mutex_unlock(&locks[0]);
    if (have >= amount) {
        pthread_mutex_lock(&locks[0]);
        pthread_mutex_lock(&locks[1]);
        accounts[0] = accounts[0] - amount;
        accounts[1] = accounts[1] + amount;
        pthread_mutex_unlock(&locks[1]);
        pthread_mutex_unlock(&locks[0]);
    }
}

void *client(void *number)
{
    int self = (int)(long)number;
    int waits = FIX == 2 || (FIX == 1 && self % 2 == 0);
    if (waits) {
        pthread_mutex_lock(&turn_lock);
        while (turn != self)
            pthread_cond_wait(&turn_changed, &turn_lock);
        pthread_mutex_unlock(&turn_lock);
    }
    transfer(1);
    if (FIX) {
        pthread_mutex_lock(&turn_lock);
        turn = turn + 1;
        pthread_cond_broadcast(&turn_changed);
        pthread_mutex_unlock(&turn_lock);
    }
    return 0;
}

int main(void)
{
    pthread_t clients[CLIENTS];
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], 0, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], 0);
    return 0;
}
