// A copy keeps its value when its source is written.
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
    memcpy(&third, &first, 1);
    first = 7;
    assert(second == third);
    return 0;
}
