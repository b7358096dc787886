// A block that is moved by three bytes, in zeroed memory of the heap.
// EXPECT proved
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *bytes = calloc(3, 4);
    int *numbers = (int *)bytes;
    numbers[0] = -1;
    memmove(bytes + 3, bytes + 1, 4);
    assert(numbers[0] == -1 && numbers[1] == 0xffff && numbers[2] == 0);
    memcpy(bytes, bytes + 8, 0);
    assert(numbers[0] == -1);
    free(bytes);
    return 0;
}
