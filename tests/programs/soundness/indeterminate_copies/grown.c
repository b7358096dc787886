// Memory that is moved to another place keeps what it is.
// PROPERTY assert
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char *bytes = malloc(2);
    bytes[0] = 1;
    bytes = realloc(bytes, 64);
    assert(bytes[1] == 0); // VIOLATION
    free(bytes);
    return 0;
}
