// The pointer that comes out is the one that went in.
// PROPERTY valid-deref
// EXPECT proved
// TREES unknown byte-wise access to a pointer
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p), *q;
    for (unsigned i = 0; i < sizeof p; i++)
        ((char *)&q)[i] = ((char *)&p)[i];
    *q = 1;
    free(p);
    return 0;
}
