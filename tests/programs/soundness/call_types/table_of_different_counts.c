// EXPECT proved
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

typedef void (*any_function)(void);

int one(int x) { return x + 1; }
int two(int x, int y) { return x + y; }

any_function table[2] = {(any_function)one, (any_function)two};

int main(void)
{
    int tag = __VERIFIER_nondet_int();
    if (tag < 0 || tag > 1)
        return 0;
    any_function chosen = table[tag];
    int result = tag ? ((int (*)(int, int))chosen)(3, 4) : ((int (*)(int))chosen)(6);
    assert(result == 7);
    return 0;
}
