// So does a weak array, in a thread.
// EXPECT violated
// NATIVE no it needs the linker to leave a symbol undefined
#include <assert.h>
#include <pthread.h>

extern int maybe[4] __attribute__((weak));

void *worker(void *unused)
{
    int *p = maybe;
    assert(p); // VIOLATION
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
