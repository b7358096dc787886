// A pointer into an earlier round may be equal to one into this one: the variable lies in the same place again.
// PROPERTY assert
// EXPECT violated
// ENGINES unknown comparison of a dangling pointer
#include <assert.h>

int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int round = i;
        assert(p != &round); // VIOLATION
        p = &round;
    }
    return 0;
}
