// EXPECT violated
// UNWIND 64
#include <math.h>
#include <assert.h>

int main(void) {
    assert(sqrt(2.0) * sqrt(2.0) == 2.0); // VIOLATION
    return 0;
}
