// Numbers that do not fit become the nearest that does, and errno says so.
// EXPECT proved
// UNWIND 26
#include <stdlib.h>
#include <limits.h>
#include <errno.h>
#include <assert.h>

int main(void) {
    char *end;
    errno = 0;
    assert(strtol("9223372036854775807", &end, 10) == LONG_MAX && errno == 0 && *end == 0);
    assert(strtol("9223372036854775808", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
    errno = 0;
    assert(strtol("-9223372036854775808", 0, 10) == LONG_MIN && errno == 0);
    assert(strtol("-9223372036854775809", 0, 10) == LONG_MIN && errno == ERANGE);
    errno = 0;
    assert(strtoul("18446744073709551615", 0, 10) == ULONG_MAX && errno == 0);
    assert(strtoul("18446744073709551616", 0, 10) == ULONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
    assert(strtoll("0x8000000000000000", 0, 16) == LLONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtoull("99999999999999999999999", 0, 10) == ULLONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtol("12", 0, 1) == 0 && errno == EINVAL);
    return 0;
}
