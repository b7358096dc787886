// EXPECT violated
// NONDET 0..6
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 5;
    perror("work");
    assert(errno == 5); // VIOLATION
    return 0;
}
