// PROPERTY valid-memcleanup
// EXPECT violated
#include <stdlib.h>

int *p;

int main(void) {
    p = malloc(4); // VIOLATION
    exit(0);
}
