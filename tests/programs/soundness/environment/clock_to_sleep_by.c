// Not every clock wakes anybody.
// EXPECT violated
// NONDET 0..6
#include <assert.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct timespec time = {0, 1};
    int clock = __VERIFIER_nondet_int();
    if (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME)
        assert(clock_nanosleep(clock, 0, &time, 0) == 0);
    else if (clock > 3 && clock < 7)
        assert(clock_nanosleep(clock, 0, &time, 0) == 0); // VIOLATION
    return 0;
}
