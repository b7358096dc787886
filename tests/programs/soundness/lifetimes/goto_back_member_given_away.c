// As in goto_back_address_given_away.c, but what is given away is an array inside of the object.
// PROPERTY no-data-race
// EXPECT unknown
#include <pthread.h>

struct numbers { int count, items[2]; };

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
    struct numbers x;
    if (n++ == 0) {
        give(x.items);
        goto again;
    }
    pthread_join(thread, 0);
    return 0;
}
