// What a round keeps in the global, the next one overwrites.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *kept;

static int *make(void) {
    return malloc(4); // VIOLATION
}

int main(void) {
    while (__VERIFIER_nondet_int())
        kept = make();
    return 0;
}
