// Only a computed goto reaches the label.
// PROPERTY assert
// EXPECT violated
// NONDET 123456..123456
// TREES unknown labels are compared like literals
#include <assert.h>
extern int nondet_int(void);
int main(void) {
    void *labels[] = {&&out, &&bad};
    if (nondet_int() != 123456)
        return 0;
    goto *labels[1];
bad:
    assert(0); // VIOLATION
out:
    return 0;
}
