// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void *drop(void *argument)
{
    int *count = argument;
    if (__sync_sub_and_fetch(count, 1) == 0) {
        __VERIFIER_atomic_begin();
        free(count); // NORACE
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int *count = malloc(sizeof *count);
    *count = 2;
    pthread_create(&a, 0, drop, count);
    pthread_create(&b, 0, drop, count);
    return 0;
}
