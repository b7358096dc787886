// Reading through an input need not end the execution.
// EXPECT violated
// NONDET 16777216..16777216
// NATIVE no the input would have to be guessed
// ENGINES unknown an integer of unknown provenance used as a pointer
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int object = 1;
int main(void) {
    long exposed = (long)&object;
    int value = *(int *)__VERIFIER_nondet_long();
    assert(0); // VIOLATION
    return value;
}
