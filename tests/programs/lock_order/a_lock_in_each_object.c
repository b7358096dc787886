// Every object has its lock, and nobody takes two of them at a time.
// PROPERTY no-deadlock
// EXPECT unbounded
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct account {
    pthread_mutex_t lock;
    int balance;
};
struct account accounts[10];

static void add(struct account *one, int amount) {
    pthread_mutex_lock(&one->lock);
    one->balance += amount;
    pthread_mutex_unlock(&one->lock);
}

void *worker(void *unused) {
    int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
    if (from < 0 || from >= 10 || to < 0 || to >= 10)
        return 0;
    add(&accounts[from], -1);
    add(&accounts[to], 1);
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}
