// The only pointer is overwritten; the object is lost at the end.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>

int *p;

int main(void) {
    p = malloc(sizeof *p); // VIOLATION
    p = malloc(sizeof *p);
    return 0;
}
