// Functions of different types in one table are called by the type that each has: the others are on ways that are not taken.
// EXPECT proved
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

typedef void (*any_function)(void);

int next(int x) { return x + 1; }
long twice(long x) { return x * 2; }

any_function table[2] = {(any_function)next, (any_function)twice};

int main(void)
{
    int tag = __VERIFIER_nondet_int();
    if (tag < 0 || tag > 1)
        return 0;
    any_function chosen = table[tag];
    if (tag == 0)
        assert(((int (*)(int))chosen)(5) == 6);
    else
        assert(((long (*)(long))chosen)(5) == 10);
    return 0;
}
