// Padding is indeterminate, and so is its copy.
// PROPERTY assert
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Padded {
    char c;
    int i;
};

int main(void) {
    struct Padded padded;
    padded.c = 1;
    padded.i = 2;
    unsigned char bytes[sizeof padded];
    memcpy(bytes, &padded, sizeof padded);
    assert(bytes[1] == 0); // VIOLATION
    return 0;
}
