// PROPERTY valid-memcleanup
// EXPECT violated
#include <stdlib.h>

int *p;

int main(void) {
    p = malloc(sizeof *p); // VIOLATION
    return 0;
}
