// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <stdlib.h>

int main(void) {
    void *memory;
    if (posix_memalign(&memory, 16, 0) == 0) {
        assert(memory != 0); // VIOLATION
        free(memory);
    }
    return 0;
}
