// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <ctype.h>

int main(void) {
    int (*is_digit)(int) = isdigit;
    assert(is_digit('5') == 1); // VIOLATION
    return 0;
}
