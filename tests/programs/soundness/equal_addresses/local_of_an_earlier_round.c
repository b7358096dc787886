// As local_in_place_of_a_dead_one.c; the dead local is that of an earlier round, and may lie elsewhere.
// EXPECT unknown
#include <assert.h>

static int *kept;

int main(void) {
    for (int round = 0; round < 2; round++) {
        int number = round;
        assert(round == 0 || kept == &number);
        kept = &number;
    }
    return 0;
}
