// A number can be the address of an object whose address was taken as a number.
// EXPECT violated
// NONDET 16777216..16777216
// NATIVE no the input would have to be guessed
// ENGINES unknown an integer of unknown provenance used as a pointer
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int object = 1;
int main(void) {
    long exposed = (long)&object;
    *(int *)__VERIFIER_nondet_long() = 5;
    assert(object == 1); // VIOLATION
    return 0;
}
