// EXPECT violated
// NONDET -2..1
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    int c = fgetc(stdin);
    if (c == EOF && ferror(stdin))
        assert(errno == 0); // VIOLATION
    return 0;
}
