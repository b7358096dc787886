// PROPERTY no-overflow
// EXPECT proved
#include <time.h>
#include <sys/time.h>
static long long elapsed(struct timespec from, struct timespec to) {
    return (to.tv_sec - from.tv_sec) * 1000000000LL + (to.tv_nsec - from.tv_nsec);
}
int main(void) {
    struct timespec first, second;
    struct timeval now;
    clock_gettime(CLOCK_REALTIME, &first);
    clock_gettime(CLOCK_REALTIME, &second);
    gettimeofday(&now, 0);
    long long micro = now.tv_sec * 1000000LL + now.tv_usec;
    time_t start = time(0), end = time(0);
    return elapsed(first, second) > micro + (end - start) * 1000 + (clock() - clock());
}
