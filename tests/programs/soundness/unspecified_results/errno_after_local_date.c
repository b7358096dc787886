// A call that succeeds may have set `errno` all the same.
// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <errno.h>
#include <time.h>
static time_t moment;
int main(void) {
    errno = 0;
    struct tm *date = localtime(&moment);
    if (date != 0)
        assert(errno == 0); // VIOLATION
    return 0;
}
