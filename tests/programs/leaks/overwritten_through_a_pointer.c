// The global that keeps it is written through its address.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>
int *kept;

static void forget(int **place) { *place = 0; }

int main(void) {
    kept = malloc(4); // VIOLATION
    forget(&kept);
    return 0;
}
