// One of two addresses, moved through a buffer in pieces that do not divide it evenly.
// EXPECT proved
// TREES unknown byte-wise access to a pointer
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int nondet_int(void);

int main(void) {
    int *left = malloc(4), *right = malloc(4), *chosen = nondet_int() ? left : right, *copy;
    char *buffer = malloc(16);
    memcpy(buffer + 3, &chosen, 3);
    memcpy(buffer + 6, (char *)&chosen + 3, 5);
    memmove(buffer, buffer + 3, 8);
    memcpy(&copy, buffer, 8);
    *left = 1;
    *right = 2;
    assert(copy == chosen);
    assert(*copy == (chosen == left ? 1 : 2));
    free(left);
    free(right);
    free(buffer);
    return 0;
}
