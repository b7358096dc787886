// Behind a gate that random inputs do not pass.
// EXPECT violated
// NONDET 123456..123456
#include <unistd.h>
#include <assert.h>
int nondet_int(void);
int main(void) {
    if (nondet_int() != 123456)
        return 0;
    assert(write(1, "abcd", 4) < 4); // VIOLATION
    return 0;
}
