// EXPECT violated
#include <time.h>
#include <assert.h>
int main(void) {
    struct timespec first, second;
    clock_gettime(CLOCK_MONOTONIC, &first);
    clock_gettime(CLOCK_MONOTONIC, &second);
    assert(second.tv_nsec == first.tv_nsec); // VIOLATION
    return 0;
}
