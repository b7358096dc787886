// EXPECT proved
#include <time.h>
#include <assert.h>
#include <errno.h>
int main(void) {
    struct timespec moment = {0, 2000000000};
    assert(nanosleep(&moment, 0) == -1 && errno == EINVAL);
    return 0;
}
