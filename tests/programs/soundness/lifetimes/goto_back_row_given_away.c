// PROPERTY no-data-race
// EXPECT unknown
#include <pthread.h>

static pthread_t thread;

static void *use(void *p)
{
    *(int *)p = 1;
    return 0;
}

int main(void)
{
    int n = 0;
again:;
    int rows[2][2], *row = rows[1];
    if (n++ == 0) {
        pthread_create(&thread, 0, use, row);
        goto again;
    }
    pthread_join(thread, 0);
    return 0;
}
