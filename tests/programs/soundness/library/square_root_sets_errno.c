// EXPECT violated
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
    volatile double x = -1.0;
    errno = 0;
    volatile double y = sqrt(x);
    assert(errno == 0); // VIOLATION
    return y == 0.0;
}
