// Whoever enters the section has seen the update of the other thread, which does no more.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *update(void *unused)
{
    __sync_fetch_and_add(&x, 1); // NORACE
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, update, 0);
    if (__sync_fetch_and_add(&x, 0) == 1) {
        __VERIFIER_atomic_begin();
        int seen = x; // NORACE
        __VERIFIER_atomic_end();
        return seen - 1;
    }
    return 0;
}
