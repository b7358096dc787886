// No object lies in the first page.
// EXPECT proved
// TREES unknown a number that is used as an address has many possible values
// NATIVE no the access is invalid
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int object = 1;
int main(void) {
    long exposed = (long)&object, number = __VERIFIER_nondet_long();
    if (number < 0 || number >= 4096)
        return 0;
    *(int *)number = 5;
    assert(0);
    return 0;
}
