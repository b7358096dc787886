// EXPECT proved
#include <time.h>
#include <assert.h>
int main(void) {
    struct timespec first, second;
    clock_gettime(CLOCK_MONOTONIC, &first);
    clock_gettime(CLOCK_MONOTONIC, &second);
    assert(second.tv_sec > first.tv_sec || (second.tv_sec == first.tv_sec && second.tv_nsec >= first.tv_nsec));
    assert(first.tv_nsec >= 0 && first.tv_nsec < 1000000000);
    return 0;
}
