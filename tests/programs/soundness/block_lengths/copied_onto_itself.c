// memcpy between places that overlap as soon as the length is larger than their distance.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 3..5
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char text[16] = "0123456789";
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 5)
        return 0;
    memcpy(text, text + 4, length); // VIOLATION
    return 0;
}
