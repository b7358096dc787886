// The function that keeps is called twice.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>
int *kept;

static void make(void) {
    kept = malloc(4); // VIOLATION
}

int main(void) {
    make();
    make();
    return 0;
}
