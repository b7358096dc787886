// `%m` prints the text of `errno` and takes no argument: what comes after the output is reached.
// EXPECT violated
#include <assert.h>
#include <stdio.h>
int main(void) {
    int tries = 3;
    fprintf(stderr, "cannot open: %m\n");
    printf("try %d: %m\n", tries);
    assert(tries == 4); // VIOLATION
    return 0;
}
