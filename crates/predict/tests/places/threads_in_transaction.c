// A transaction that creates and joins the threads that interrupt it: its first and its last access have no rival who
// could be running.
#include <pthread.h>

int x, y;

void *by_child(void *unused)
{
    x = 1;
    y = 1;
    return 0;
}

void transaction(void)
{
    pthread_t child;
    x = 2;
    pthread_create(&child, 0, by_child, 0);
    x = 3; // interrupted: W-W-W
    y = 2;
    pthread_join(child, 0);
    y = 3; // interrupted: W-W-W
}

void *parent(void *unused)
{
    transaction();
    return 0;
}

int main(void)
{
    pthread_t thread;
#ifdef MAIN
    transaction();
#else
    pthread_create(&thread, 0, parent, 0);
    pthread_join(thread, 0);
#endif
    return 0;
}
