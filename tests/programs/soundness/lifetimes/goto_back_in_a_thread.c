// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

static void *use(void *p)
{
    ++*(int *)p;
    return 0;
}

static void *run(void *unused)
{
    int n = 0;
    pthread_t thread;
again:;
    int x[2] = {n, n};
    if (n++ == 0) {
        pthread_create(&thread, 0, use, &x[1]);
        pthread_join(thread, 0);
        goto again;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
