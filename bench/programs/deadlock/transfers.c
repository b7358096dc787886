// Bank transfers from each account to the next. BROKEN: a transfer locks the account that pays, then the one that gets.
// Repaired: it locks the account with the smaller number first.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[THREADS];

void transfer(struct account *from, struct account *to, int amount) {
#ifdef BROKEN
    struct account *first = from, *second = to;
#else
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

void *clerk(void *argument) {
    int own = (int)(long)argument;
    transfer(&accounts[own], &accounts[(own + 1) % THREADS], 10);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_init(&accounts[i].lock, 0);
        accounts[i].balance = 100;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, clerk, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
