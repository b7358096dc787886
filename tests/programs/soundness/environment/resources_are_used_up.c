// EXPECT proved
// NONDET 1..1
#include <assert.h>
#include <sys/resource.h>

int main(void) {
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    getrusage(RUSAGE_SELF, &after);
    assert(after.ru_utime.tv_sec >= before.ru_utime.tv_sec);
    assert(after.ru_minflt >= before.ru_minflt && after.ru_stime.tv_usec < 1000000);
    return 0;
}
