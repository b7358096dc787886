// Nor one of an element of an array, in a thread that is given its address.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no a write to such a member does not fail
#include <pthread.h>

struct s {
    int b;
    struct {
        int d;
        const int c;
    } in[2];
} g[2];

void *worker(void *argument)
{
    *(int *)argument = 1; // VIOLATION
    return 0;
}

int main(void)
{
    pthread_t t;
    g[1].in[0].d = 4;
    pthread_create(&t, 0, worker, (void *)&g[1].in[1].c);
    pthread_join(t, 0);
    return 0;
}
