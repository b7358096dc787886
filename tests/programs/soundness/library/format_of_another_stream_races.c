// So are races with what it reads.
// PROPERTY no-data-race
// EXPECT violated
// ENGINES unknown what such formats read is not followed
#include <pthread.h>
#include <stdio.h>

static char text[4] = "abc";
static const char *format = "%s\n";

void *writer(void *unused)
{
    text[0] = 'z'; // RACE
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    fprintf(stderr, format, text); // RACE
    pthread_join(t, 0);
    return 0;
}
