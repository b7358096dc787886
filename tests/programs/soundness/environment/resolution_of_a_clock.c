// EXPECT proved
// NONDET 0..2
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec first, second;
    clock_getres(CLOCK_MONOTONIC, &first);
    clock_getres(CLOCK_MONOTONIC, &second);
    assert(first.tv_sec == second.tv_sec && first.tv_nsec == second.tv_nsec);
    assert(first.tv_sec > 0 || first.tv_nsec > 0);
    return 0;
}
