/*
 * Message passing with an atomic flag: the sender writes the message, then raises the flag; the receiver reads the message
 * only if it sees the flag.
 *
 *     gordian check message_passing.c              PROVED: a raised flag means that the message is there
 *     gordian check message_passing.c -D HASTY     VIOLATED: the flag goes up before the message is written
 *
 * The proof assumes sequential consistency, as the report says: the accesses are in the order of the program.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int flag;

void *sender(void *argument)
{
#ifdef HASTY
    flag = 1;
    message = 42;
#else
    message = 42;
    flag = 1;
#endif
    return NULL;
}

void *receiver(void *argument)
{
    if (flag) {
        int received = message;
        assert(received == 42);
    }
    return NULL;
}

int main(void)
{
    pthread_t from, to;
    pthread_create(&from, NULL, sender, NULL);
    pthread_create(&to, NULL, receiver, NULL);
    pthread_join(from, NULL);
    pthread_join(to, NULL);
    return 0;
}
