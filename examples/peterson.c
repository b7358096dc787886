/*
 * Peterson's algorithm: mutual exclusion for two threads with nothing but shared atomic variables.
 *
 * Each thread says that it wants to enter, lets the other go first, and waits while the other wants to enter and it is
 * the other's turn. The assertion in the critical section says that nobody else is inside.
 *
 *     gordian check peterson.c                     PROVED
 *     gordian check peterson.c -D IMPOLITE         VIOLATED: each thread claims the turn for itself
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
atomic_int turn;
int inside;

static void enter_and_leave(int me)
{
    int other = 1 - me;
    wants[me] = 1;
#ifdef IMPOLITE
    turn = me;
#else
    turn = other;
#endif
    while (wants[other] && turn == other)
        ;
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    wants[me] = 0;
}

void *left(void *argument)
{
    enter_and_leave(0);
    return NULL;
}

void *right(void *argument)
{
    enter_and_leave(1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
