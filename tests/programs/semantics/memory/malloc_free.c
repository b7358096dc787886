// PROPERTY valid-deref
// EXPECT proved
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof *p);
    p[0] = 1;
    p[3] = 2;
    free(p);
    free(0);
    return 0;
}
