// Threads that mostly compute on their own data: each fills a private array, sorts it and multiplies two small matrices, and
// adds one number to a shared sum at the end of each round. For measuring native recording.
//
// Usage: local_work [ROUNDS]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif

#define NUMBERS 512
#define SIDE 24

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;

static unsigned long random_number(unsigned long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void sort(unsigned *numbers, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            unsigned number = numbers[i];
            int j = i;
            for (; j >= gap && numbers[j - gap] > number; j -= gap)
                numbers[j] = numbers[j - gap];
            numbers[j] = number;
        }
}

static unsigned multiply(unsigned long *state)
{
    unsigned a[SIDE][SIDE], b[SIDE][SIDE], trace = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = (unsigned)random_number(state);
            b[i][j] = (unsigned)random_number(state);
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            unsigned cell = 0;
            for (int k = 0; k < SIDE; k++)
                cell += a[i][k] * b[k][j];
            trace += cell;
        }
    return trace;
}

static long rounds;

static void *work(void *argument)
{
    unsigned long state = (unsigned long)argument + 88172645463325252ul;
    for (long round = 0; round < rounds; round++) {
        unsigned numbers[NUMBERS];
        for (int i = 0; i < NUMBERS; i++)
            numbers[i] = (unsigned)random_number(&state);
        sort(numbers, NUMBERS);
        unsigned result = numbers[NUMBERS / 2] + multiply(&state);
        pthread_mutex_lock(&lock);
        sum += result;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    rounds = argc > 1 ? atol(argv[1]) : 2;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%lu\n", sum);
    return 0;
}
