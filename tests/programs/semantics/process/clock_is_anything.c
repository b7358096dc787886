// EXPECT violated
#include <time.h>
#include <assert.h>

int main(void) {
    time_t before = time(0);
    time_t after = time(0);
    assert(before <= after); // VIOLATION
    return 0;
}
