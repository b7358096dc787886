// An array of any size that an address can name: its upper half is more than 2 GB away from its beginning.
// PROPERTY valid-deref
// EXPECT unbounded
// OPTION ilp32
// NONDET 0..2
#include <pthread.h>

extern void *malloc(unsigned size);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

int *items;
int count;

static void *sum_up(void *argument)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += items[i];
    return (void *)sum;
}

int main(void)
{
    count = __VERIFIER_nondet_int();
    if (count < 0 || count > 0xffffffffu / sizeof(int))
        abort();
    items = malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        items[i] = i;
    pthread_t thread;
    pthread_create(&thread, 0, sum_up, 0);
    for (int i = count - 1; i >= 0; i--)
        items[i]--;
    pthread_join(thread, 0);
    return 0;
}
