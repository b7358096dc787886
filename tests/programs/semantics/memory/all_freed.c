// PROPERTY valid-memcleanup
// EXPECT proved
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    p = realloc(p, 8);
    free(p);
    return 0;
}
