// A call that succeeds may have set `errno` all the same.
// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    void *memory = malloc(4);
    if (memory != 0)
        assert(errno == 0); // VIOLATION
    return 0;
}
