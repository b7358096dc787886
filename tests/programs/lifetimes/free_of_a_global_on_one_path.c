// On one path the pointer was not allocated.
// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int global;
int main(void) {
    int *p = malloc(4);
    int *q = p;
    if (__VERIFIER_nondet_int())
        q = &global;
    free(q); // VIOLATION
    return 0;
}
