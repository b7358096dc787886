// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>

int main(void) {
    int *p = calloc(1, sizeof *p);
    int *q = realloc(p, 2 * sizeof *q);
    q[0] = 1;
    return *p; // VIOLATION
}
