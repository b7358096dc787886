// An abnormal end leaves nothing that should have been cleaned up.
// PROPERTY valid-memcleanup
// EXPECT proved
#include <stdlib.h>

int *p;

int main(void) {
    p = malloc(4);
    abort();
}
