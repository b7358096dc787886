// EXPECT proved
#include <assert.h>
#include <unistd.h>
int main(void) {
    int name = _SC_PAGESIZE;
    assert(sysconf(name) == sysconf(_SC_PAGESIZE));
    assert(sysconf(name) >= 4096);
    return 0;
}
