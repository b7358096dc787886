// Nothing happens after a division by zero that nobody asks about.
// PROPERTY assert
// EXPECT proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int d = __VERIFIER_nondet_int();
    int q = 8 / d;
    assert(d != 0);
    return q;
}
