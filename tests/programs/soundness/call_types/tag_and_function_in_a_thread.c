// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

typedef void (*any_function)(void);

int next(int x) { return x + 1; }
long twice(long x) { return x * 2; }

any_function chosen;
int tag;

void *run(void *argument)
{
    if (tag == 0)
        assert(((int (*)(int))chosen)(5) == 6);
    else
        assert(((long (*)(long))chosen)(5) != 10); // VIOLATION
    return 0;
}

int main(void)
{
    pthread_t thread;
    tag = __VERIFIER_nondet_int() != 0;
    chosen = tag ? (any_function)twice : (any_function)next;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
