// Contents move with realloc, and the new object is larger.
// PROPERTY valid-deref
// EXPECT proved
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 5;
    p = realloc(p, 8);
    p[1] = p[0];
    free(p);
    return 0;
}
