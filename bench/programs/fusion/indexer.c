// Threads put messages into a hash table of 128 entries, each under its own lock; from 12 threads on they collide. How
// often each entry was wanted is counted, with BROKEN outside of the lock.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 15
#endif
#ifndef MESSAGES
#define MESSAGES 4
#endif
#define SIZE 128
// Thread 0 wants this entry for its second message, thread 11 for its first.
#define SHARED ((22 * 7) % SIZE)

int table[SIZE], wanted[SIZE];
pthread_mutex_t lock[SIZE];

int put(int place, int word)
{
    int done = 0;
#ifdef BROKEN
    wanted[place] = wanted[place] + 1;
#endif
    pthread_mutex_lock(&lock[place]);
#ifndef BROKEN
    wanted[place] = wanted[place] + 1;
#endif
    if (table[place] == 0) {
        table[place] = word;
        done = 1;
    }
    pthread_mutex_unlock(&lock[place]);
    return done;
}

void *insert(void *number)
{
    int self = (int)(long)number;
    for (int m = 1; m <= MESSAGES; m++) {
        int word = m * 11 + self;
        int place = (word * 7) % SIZE;
        while (!put(place, word))
            place = (place + 1) % SIZE;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&lock[i], 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, insert, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(wanted[SHARED] >= (THREADS > 11 ? 2 : 1));
    return 0;
}
