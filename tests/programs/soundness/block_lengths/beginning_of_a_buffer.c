// What lies behind the part that is copied stays as it was.
// EXPECT proved
// NONDET 0..8
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char from[9] = "01234567", to[8];
    unsigned length = __VERIFIER_nondet_uint();
    if (length > sizeof to)
        return 0;
    memset(to, 'z', sizeof to);
    memcpy(to, from, length);
    assert(to[4] == (length > 4 ? '4' : 'z'));
    memset(to, 'y', length);
    assert(to[7] == (length > 7 ? 'y' : 'z'));
    return 0;
}
