// What a pointer to a structure leads to is read, also if nobody uses it.
// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>

struct pair { int first, second; };
extern int nondet_int(void);

int main(void)
{
    struct pair one = {0, 0};
    struct pair *pair = nondet_int() ? &one : 0;
    *pair; // VIOLATION
    return 0;
}
