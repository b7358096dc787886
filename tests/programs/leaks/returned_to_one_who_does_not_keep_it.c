// One caller keeps what it gets, the other one forgets it on one way.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *kept, *also;

static int *make(void) {
    return malloc(4); // VIOLATION
}

int main(void) {
    kept = make();
    int *second = make();
    if (__VERIFIER_nondet_int())
        also = second;
    return 0;
}
