// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>

int main(void) {
    int *p = calloc(4, sizeof *p);
    p[4] = 1; // VIOLATION
    free(p);
    return 0;
}
