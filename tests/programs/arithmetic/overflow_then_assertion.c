// Where nobody asks about it, overflow wraps and the execution goes on.
// PROPERTY assert
// EXPECT violated
#include <assert.h>
#include <limits.h>

int main(void) {
    int x = INT_MAX;
    x = x + 1;
    assert(x > 0); // VIOLATION
    return 0;
}
