// They do nothing but let others run, which they may at any time anyway.
// EXPECT proved
// NATIVE no it sleeps for a long time
#include <pthread.h>
#include <assert.h>
#include <sched.h>
#include <unistd.h>
#include <time.h>

int main(void) {
    struct timespec moment = {0, 1};
    assert(sched_yield() == 0);
    assert(sleep(1) == 0);
    assert(usleep(1) == 0);
    assert(nanosleep(&moment, 0) == 0);
    return 0;
}
