// The copy of an indeterminate byte may be anything.
// PROPERTY assert
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char bytes[4];
    int number;
    memcpy(bytes, &number, sizeof number);
    assert(bytes[1] != 3); // VIOLATION
    return 0;
}
