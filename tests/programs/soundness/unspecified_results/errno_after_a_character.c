// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    int character = getchar();
    if (character != EOF)
        assert(errno == 0); // VIOLATION
    return 0;
}
