// A pointer into an earlier round is not a pointer into this one.
// PROPERTY assert
// EXPECT proved
#include <assert.h>

int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int round = i;
        assert(p != &round);
        p = &round;
    }
    return 0;
}
