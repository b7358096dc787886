// The process is aborted while memory is lost already: no exit shows it.
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

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forget, NULL);
    abort();
}
