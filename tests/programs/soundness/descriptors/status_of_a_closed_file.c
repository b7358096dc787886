// EXPECT proved
// NONDET 3..3
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat status;
    int file = open("a", O_RDONLY);
    if (file < 0 || close(file))
        return 0;
    int result = fstat(file, &status);
    assert(result == -1 && errno == EBADF);
    return 0;
}
