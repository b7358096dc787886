// EXPECT proved
// NONDET -1..1
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat status;
    assert(unlink("") == -1 && errno == ENOENT);
    assert(remove("") == -1 && errno == ENOENT);
    assert(rename("", "a") == -1 && errno == ENOENT);
    assert(mkdir("", 0700) == -1 && errno == ENOENT);
    assert(access("", R_OK) == -1 && errno == ENOENT);
    assert(stat("", &status) == -1 && errno == ENOENT);
    return 0;
}
