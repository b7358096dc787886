// Forty assertions, each of which can fail: more than one solver is asked about.
#include <assert.h>
#include <pthread.h>

int x;

#define FOUR assert(x != 1); assert(x != 2); assert(x != 3); assert(x != 4);
#define TWENTY FOUR FOUR FOUR FOUR FOUR

void *writer(void *unused)
{
    x = 1;
    x = 2;
    x = 3;
    x = 4;
    x = 5;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    TWENTY
    TWENTY
    return 0;
}
