// To some libraries a prefix without digits is a zero; C says that nothing matches.
// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned number = 7;
    assert(sscanf("0xg", "%x", &number) == 0); // VIOLATION
    return 0;
}
