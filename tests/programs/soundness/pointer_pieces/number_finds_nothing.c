// The address of the object never becomes a number, so that no number finds it.
// EXPECT proved
// TREES unknown a number that is used as an address has many possible values
// NATIVE no the access is invalid
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int object = 1;
int main(void) {
    *(int *)__VERIFIER_nondet_long() = 5;
    assert(object == 1);
    return 0;
}
