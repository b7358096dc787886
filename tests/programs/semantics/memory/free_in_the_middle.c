// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    free(p + 1); // VIOLATION
    return 0;
}
