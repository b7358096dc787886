// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    p = realloc(p, 8); // VIOLATION
    return 0;
}
