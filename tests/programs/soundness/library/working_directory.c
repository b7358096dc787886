// EXPECT proved
// NONDET -1..2
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
    char path[4];
    assert(getcwd(path, 0) == 0 && errno == EINVAL);
    if (getcwd(path, 4))
        assert(path[0] == '/');
    return 0;
}
