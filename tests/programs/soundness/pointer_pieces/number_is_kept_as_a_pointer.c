// As a pointer in memory, moved on, a number is still one.
// EXPECT violated
// NONDET 16777216..16777216
// NATIVE no the input would have to be guessed
// ENGINES unknown an integer of unknown provenance used as a pointer
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int object[3] = {1, 2, 3};
int *kept;
int main(void) {
    long exposed = (long)object;
    kept = (int *)__VERIFIER_nondet_long();
    int *moved = kept + 1;
    moved[1] = 7;
    assert(object[2] == 3); // VIOLATION
    return 0;
}
