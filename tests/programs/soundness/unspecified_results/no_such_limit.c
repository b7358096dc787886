// EXPECT violated
// NONDET -1..1
#include <assert.h>
#include <errno.h>
#include <unistd.h>
int main(void) {
    errno = 0;
    long limit = sysconf(-5);
    assert(limit != -1 || errno == 0); // VIOLATION
    return 0;
}
