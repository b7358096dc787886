// The least int has no absolute value.
// PROPERTY no-overflow
// EXPECT violated
#include <stdlib.h>
#include <limits.h>

volatile int least = INT_MIN;

int main(void) {
    return abs(least) == 0; // VIOLATION
}
