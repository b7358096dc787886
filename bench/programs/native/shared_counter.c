// Nothing but accesses to shared memory: threads that count in one variable, without any lock. For measuring native recording.
//
// Usage: shared_counter [ROUNDS]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif

static volatile long counter;
static long rounds;

static void *count(void *argument)
{
    for (long i = 0; i < rounds; i++)
        counter++;
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    rounds = argc > 1 ? atol(argv[1]) : 1000;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%s\n", counter == THREADS * rounds ? "all counted" : "updates were lost");
    return 0;
}
