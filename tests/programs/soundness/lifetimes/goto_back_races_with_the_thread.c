// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

static void *use(void *p)
{
    *(int *)p = 1; // RACE
    return 0;
}

int main(void)
{
    int n = 0;
    pthread_t thread;
again:;
    int x;
    if (n++ == 0) {
        pthread_create(&thread, 0, use, &x);
        goto again;
    }
    int *p = &x;
    *p = 2; // RACE
    pthread_join(thread, 0);
    return 0;
}
