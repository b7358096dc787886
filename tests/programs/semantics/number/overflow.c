// PROPERTY no-overflow
// EXPECT violated
#include <limits.h>

volatile int x = INT_MAX;

int main(void) {
    int mine = x;
    return mine + 1 < 0; // VIOLATION
}
