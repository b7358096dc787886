// Threads put messages into one hash table under one lock; a place that is taken means the next one.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 13
#endif
#ifndef MESSAGES
#define MESSAGES 4
#endif
#define SIZE 128

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int table[SIZE];

void *insert(void *number)
{
    int self = (int)(long)number;
    pthread_mutex_lock(&lock);
    for (int m = 1; m <= MESSAGES; m++) {
        int word = m * 11 + self;
        int place = (word * 7) % SIZE;
        int tried = 0;
        while (table[place] != 0) {
            place = (place + 1) % SIZE;
            tried++;
            assert(tried < SIZE);
        }
        table[place] = word;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, insert, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
