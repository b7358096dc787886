// The process never comes to its exit, since main waits for a thread that goes on for ever.
// PROPERTY valid-memtrack
// EXPECT violated
// ENGINES unknown lost memory is looked for where the process exits
#include <pthread.h>
#include <stdlib.h>

int *kept;

void *forget(void *unused)
{
    kept = malloc(sizeof(int)); // VIOLATION
    kept = malloc(sizeof(int));
    return NULL;
}

void *go_on(void *unused)
{
    for (;;)
        ;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, forget, NULL);
    pthread_create(&second, NULL, go_on, NULL);
    pthread_join(second, NULL);
    return 0;
}
