// The only pointer to the memory is overwritten.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>

int *shared;
int main(void) {
    shared = malloc(4); // VIOLATION
    shared = 0;
    return 0;
}
