// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <stdio.h>

int main(void) {
    perror("work");
    assert(!ferror(stderr)); // VIOLATION
    return 0;
}
