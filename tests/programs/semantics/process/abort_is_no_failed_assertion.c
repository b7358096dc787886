// EXPECT proved
#include <stdlib.h>
#include <assert.h>

int main(void) {
    abort();
    assert(0);
}
