// EXPECT proved
// NONDET 1..3
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(sysconf(_SC_NPROCESSORS_ONLN) <= sysconf(_SC_NPROCESSORS_CONF));
    return 0;
}
