// The conversions of <stdlib.h> leave `errno` alone when they succeed.
// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) {
    errno = 0;
    long number = strtol("12", 0, 10);
    assert(number == 12 && errno == 0);
    return 0;
}
