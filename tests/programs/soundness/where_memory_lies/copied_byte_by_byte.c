// The pointer that comes out is the one that went in.
// EXPECT proved
// TREES unknown byte-wise access to a pointer
#include <assert.h>

int x = 5;

int main(void) {
    int *p = &x, *q;
    unsigned char *from = (unsigned char *)&p, *to = (unsigned char *)&q;
    for (unsigned i = 0; i < sizeof p; i++)
        to[i] = from[i];
    assert(q == &x);
    assert(*q == 5);
    return 0;
}
