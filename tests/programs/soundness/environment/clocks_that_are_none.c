// EXPECT proved
// NONDET 1..1
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void) {
    struct timespec time = {0, 1};
    assert(clock_gettime(10, &time) == -1 && errno == EINVAL);
    assert(clock_getres(10, &time) == -1 && errno == EINVAL);
    assert(clock_nanosleep(10, 0, &time, 0) == EINVAL);
    assert(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
    return 0;
}
