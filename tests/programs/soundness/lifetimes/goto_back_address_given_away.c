// No access to the object, so no race, but its value: unsupported when the declaration is reached again.
// PROPERTY no-data-race
// EXPECT unknown
#include <pthread.h>

static pthread_t thread;

static void *use(void *p)
{
    *(int *)p = 1;
    return 0;
}

static void give(int *p)
{
    pthread_create(&thread, 0, use, p);
}

int main(void)
{
    int n = 0;
again:;
    int x;
    if (n++ == 0) {
        give(&x);
        goto again;
    }
    pthread_join(thread, 0);
    return 0;
}
