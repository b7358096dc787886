// What is unsigned and as wide as a pointer may lead backwards, and who has gone too far may come back.
// EXPECT proved
// OPTION ilp32
// NONDET 0..1
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int numbers[4] = {3, 5, 7, 9};

int main(void)
{
    unsigned zero = __VERIFIER_nondet_int() & 0;
    int *second = &numbers[1];
    assert(second[-1] == 3 && second[zero - 1] == 3);
    int *before = numbers + (zero - 2);
    assert(before[3] == 5 && *(before - (zero - 2)) == 3);
    return 0;
}
