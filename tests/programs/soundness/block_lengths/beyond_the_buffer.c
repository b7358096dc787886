// One byte too many.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 7..9
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char from[16] = "01234567", to[8];
    unsigned length = __VERIFIER_nondet_uint();
    if (length > sizeof to + 1)
        return 0;
    memcpy(to, from, length); // VIOLATION
    return 0;
}
