// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    if (printf("x\n") < 0)
        assert(errno == 0); // VIOLATION
    return 0;
}
