// PROPERTY assert
// EXPECT violated
// NONDET -1..3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int numbers[4];

int main(void) {
    int index = __VERIFIER_nondet_int();
    if (index < -1 || index > 3) return 0;
    int *p = numbers + index;
    assert(!(p < numbers)); // VIOLATION
    return 0;
}
