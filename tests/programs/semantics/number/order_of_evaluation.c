// Operands, arguments and both sides of an assignment are evaluated left to right.
// EXPECT proved
// NATIVE no gcc chooses another order of evaluation
#include <assert.h>

int n;

int next(void) { return ++n; }

int pair(int a, int b) { return 10 * a + b; }

int main(void) {
    int a[8];
    assert(10 * next() + next() == 12);
    assert(pair(next(), next()) == 34);
    a[next()] = next();
    assert(a[5] == 6);
    return 0;
}
