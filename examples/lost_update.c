/*
 * The lost update, the mother of all concurrency bugs.
 *
 * `counter++` is a read and a write. If both threads read before either writes, one increment is lost and the
 * assertion fails. Ordinary testing hardly ever sees it; Gordian looks at every interleaving:
 *
 *     gordian check lost_update.c          VIOLATED, with the interleaving
 *     gordian explore lost_update.c        agrees, by visiting every state
 *
 * lost_update_fixed.c is the same program with a mutex.
 */
#include <assert.h>
#include <pthread.h>

int counter;

void *increment(void *argument)
{
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
