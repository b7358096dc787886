// PROPERTY no-overflow
// EXPECT proved
#include <limits.h>

volatile unsigned x = UINT_MAX;

int main(void) {
    unsigned mine = x;
    return mine + 1u;
}
