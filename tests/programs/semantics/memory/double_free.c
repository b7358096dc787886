// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    free(p); // VIOLATION
    return 0;
}
