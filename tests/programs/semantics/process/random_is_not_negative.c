// EXPECT proved
// NONDET -1..1
#include <stdlib.h>
#include <assert.h>

int main(void) {
    srand(1);
    assert(rand() >= 0);
    return 0;
}
