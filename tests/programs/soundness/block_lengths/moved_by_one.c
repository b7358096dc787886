// An element is removed from an array: the rest, however long it is, moves down.
// EXPECT proved
// NONDET 0..7
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned at = __VERIFIER_nondet_uint();
    if (at >= 7)
        return 0;
    memmove(all + at, all + at + 1, (7 - at) * sizeof *all);
    assert(all[6] == 7);
    assert(all[3] == (at <= 3 ? 4 : 3));
    return 0;
}
