// EXPECT proved
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(4), *q = malloc(4), x;
    assert(p != q && p != &x);
    free(p);
    free(q);
    return 0;
}
