// A copy is the same as its source, whichever is looked at first.
// PROPERTY assert
// EXPECT proved
// NONDET 0..3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char first, second, third;
    memcpy(&second, &first, 1);
    memcpy(&third, &second, 1);
    assert(third == first && first == second);
    return 0;
}
