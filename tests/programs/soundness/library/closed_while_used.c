// A stream is closed while another thread writes to it.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 0..3
// NATIVE no it would write a file
#include <pthread.h>
#include <stdio.h>

static FILE *file;

void *writer(void *unused)
{
    fputs("text", file); // RACE
    return unused;
}

int main(void)
{
    pthread_t t;
    file = fopen("a", "w");
    if (file == 0)
        return 0;
    pthread_create(&t, 0, writer, 0);
    fclose(file); // RACE
    pthread_join(t, 0);
    return 0;
}
