// TREES unknown there, addresses have no numbers
// EXPECT proved
#include <stdlib.h>
#include <stdint.h>
#include <assert.h>

int main(void) {
    void *p = aligned_alloc(64, 128), *q;
    assert((uintptr_t)p % 64 == 0);
    assert(posix_memalign(&q, 32, 10) == 0);
    assert((uintptr_t)q % 32 == 0);
    free(p);
    free(q);
    return 0;
}
