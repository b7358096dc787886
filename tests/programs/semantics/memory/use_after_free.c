// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    *p = 1; // VIOLATION
    return 0;
}
