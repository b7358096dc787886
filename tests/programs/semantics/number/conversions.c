// EXPECT proved
// UNWIND 24
#include <stdlib.h>
#include <limits.h>
#include <assert.h>

int main(void) {
    char *end;
    assert(atoi("42") == 42 && atoi(" -7x") == -7 && atoi("x") == 0);
    assert(strtol("0x1f", &end, 0) == 31 && *end == 0);
    assert(strtol("12z", &end, 10) == 12 && *end == 'z');
    assert(strtol("99999999999999999999", 0, 10) == LONG_MAX);
    assert(strtoul("777", 0, 8) == 511);
    assert(atol("5") == 5);
    return 0;
}
