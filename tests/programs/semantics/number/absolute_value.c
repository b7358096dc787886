// EXPECT proved
#include <stdlib.h>
#include <assert.h>

int main(void) {
    assert(abs(-3) == 3 && abs(3) == 3 && labs(-5L) == 5 && llabs(-6LL) == 6);
    return 0;
}
