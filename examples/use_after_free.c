/* The message is freed while its reader may still be reading it: the join comes too late. */
#include <pthread.h>
#include <stdlib.h>

struct message {
    int length;
    int words[4];
};

void *count(void *argument)
{
    struct message *message = argument;
    long sum = 0;
    for (int i = 0; i < message->length; i++)
        sum += message->words[i];
    return (void *)sum;
}

int main(void)
{
    pthread_t reader;
    struct message *message = calloc(1, sizeof *message);
    if (!message)
        return 1;
    message->length = 2;
    pthread_create(&reader, NULL, count, message);
    free(message);
    pthread_join(reader, NULL);
    return 0;
}
