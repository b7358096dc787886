// PROPERTY valid-memcleanup
// EXPECT proved
#include <threads.h>

extern int __VERIFIER_nondet_int(void);
static int one(void *unused) { return 0; }
static int two(void *unused) { return 0; }

int main(void)
{
    thrd_t thread;
    int (*start)(void *) = __VERIFIER_nondet_int() ? one : two;
    thrd_create(&thread, start, 0);
    return 0;
}
