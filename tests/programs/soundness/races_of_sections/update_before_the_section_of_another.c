// The thread has itself updated x before its section: only an update that it has not seen races.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *run(void *unused)
{
    __sync_fetch_and_add(&x, 1); // RACE
    __VERIFIER_atomic_begin();
    int seen = x; // RACE
    __VERIFIER_atomic_end();
    return (void *)(long)seen;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    return 0;
}
