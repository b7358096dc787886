// A pointer of each thread that begins at an object is not null: its initial value was taken for a number.
// EXPECT violated
#include <assert.h>
#include <stddef.h>
extern int nondet_int(void);

int x;
_Thread_local int *p = &x;

int main(void)
{
    while (nondet_int())
        ;
    assert(p == NULL); // VIOLATION
    return 0;
}
