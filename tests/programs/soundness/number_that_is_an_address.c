// An input can be the address of an object.
// EXPECT violated
// NONDET 16777216..16777216
// NATIVE no the input would have to be guessed
// ENGINES unknown comparison of a pointer with an integer of unknown provenance
#include <assert.h>

extern long __VERIFIER_nondet_long(void);

int object;

int main(void) {
    long guess = __VERIFIER_nondet_long();
    if ((long)&object == guess) {
        assert(0); // VIOLATION
    }
    return 0;
}
