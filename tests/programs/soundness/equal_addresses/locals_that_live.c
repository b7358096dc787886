// Locals that live at the same time differ, and so do pointers to one of them that has died, as far as nobody is left to look.
// EXPECT proved
#include <assert.h>

static int *last;

static int differs(int *other) {
    int own = 0;
    int *pointer = &own;
    return pointer != other;
}

int main(void) {
    int number = 0;
    last = &number;
    for (int round = 0; round < 2; round++) {
        int inner = 0;
        assert(&inner != last);
        assert(differs(&inner) && differs(last));
    }
    return 0;
}
