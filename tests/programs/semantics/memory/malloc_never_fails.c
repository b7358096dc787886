// An assumption of every verdict, said with it.
// EXPECT proved
#include <stdlib.h>
#include <assert.h>

int main(void) {
    assert(malloc(1) != 0);
    assert(calloc(2, 2) != 0);
    assert(realloc(0, 5) != 0);
    return 0;
}
