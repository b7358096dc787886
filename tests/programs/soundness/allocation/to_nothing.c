// What realloc to nothing returns is open; the old object is no more.
// EXPECT violated
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char *p = malloc(4);
    char *q = realloc(p, 0);
    assert(q == 0); // VIOLATION
    return 0;
}
