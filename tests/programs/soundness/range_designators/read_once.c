// Another thread cannot come between the elements: the object is read once.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

static _Atomic int shared;

static void *writer(void *unused)
{
    shared = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen[2][2] = { [0 ... 1][0 ... 1] = shared };
    assert(seen[0][0] == seen[1][1] && seen[0][1] == seen[1][0]);
    pthread_join(thread, 0);
    return 0;
}
