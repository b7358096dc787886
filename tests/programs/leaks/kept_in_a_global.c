// A global still points to the memory.
// PROPERTY valid-memtrack
// EXPECT proved
#include <stdlib.h>

int *shared;
int main(void) {
    shared = malloc(4);
    return 0;
}
