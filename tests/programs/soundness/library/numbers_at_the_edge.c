// EXPECT holds
#include <assert.h>
#include <math.h>

int main(void) {
    assert(hypot(3e200, 4e200) < 1e201);
    assert(pow(2, -1024) > 0 && pow(-1.0, INFINITY) == 1.0);
    assert(atan2(-0.0, -1.0) < 0);
    return 0;
}
