// An address in a structure is read through a union in another size.
// EXPECT violated
// NONDET 123456..123456
// TREES unknown byte-wise access to a pointer
#include <assert.h>

int nondet_int(void);
int object;
union view {
    struct {
        long number;
        int *pointer;
    } member;
    short pieces[8];
} view = {{1, &object}};

int main(void) {
    if (nondet_int() != 123456) return 0;
    int sum = 0;
    for (int i = 4; i < 8; i++) sum |= view.pieces[i];
    assert(sum == 0); // VIOLATION
    return 0;
}
