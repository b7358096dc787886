// What realloc adds is anything.
// EXPECT violated
// NONDET 1..3
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned count = __VERIFIER_nondet_uint();
    if (count < 1 || count > 3)
        return 0;
    int *all = malloc(2 * sizeof *all);
    all[0] = 4;
    all[1] = 5;
    all = realloc(all, count * sizeof *all);
    assert(all[0] == 4);
    if (count > 1)
        assert(all[1] == 5);
    if (count > 2)
        assert(all[2] == 5); // VIOLATION
    all[count - 1] = 6;
    free(all);
    return 0;
}
