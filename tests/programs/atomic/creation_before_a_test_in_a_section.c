// A thread is created in an atomic section that goes on with a test of an input: the new thread still runs up to its
// first access inside of the step that creates it.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *work(void *unused)
{
    int amount = 0;
    amount++;
    x = x + amount;
    return 0;
}

int main(void)
{
    pthread_t thread;
    __VERIFIER_atomic_begin();
    pthread_create(&thread, 0, work, 0);
    if (__VERIFIER_nondet_int())
        x = 2;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    assert(x != 3); // VIOLATION
    return 0;
}
