// A function that is called through a pointer is the same function.
// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    int (*next)(FILE *) = fgetc;
    errno = 0;
    int character = next(stdin);
    if (character != EOF)
        assert(errno == 0); // VIOLATION
    return 0;
}
