// Only the bytes of a `short` are written.
// EXPECT proved
#include <assert.h>
#include <stdio.h>
int main(void) {
    short positions[2] = {7, 8};
    printf("abc%hn\n", &positions[0]);
    assert(positions[0] == 3 && positions[1] == 8);
    return 0;
}
