// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <string.h>
int main(void) {
    int (*compare)(const char *, const char *) = strcmp;
    assert(compare("b", "a") <= 1); // VIOLATION
    return 0;
}
