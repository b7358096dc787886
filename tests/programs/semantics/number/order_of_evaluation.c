// Operands, arguments and both sides of an assignment are evaluated in either order.
// EXPECT proved
// NATIVE no gcc chooses one order of evaluation
#include <assert.h>

int n;

int next(void) { return ++n; }

int pair(int a, int b) { return 10 * a + b; }

int main(void) {
    int a[8] = { 0 };
    int x = 10 * next() + next();
    assert(x == 12 || x == 21);
    x = pair(next(), next());
    assert(x == 34 || x == 43);
    a[next()] = next();
    assert(a[5] == 6 || a[6] == 5);
    return 0;
}
