// EXPECT violated
// ENGINES unknown comparison of a dangling pointer
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    int *q = malloc(4);
    assert(p != q); // VIOLATION
    free(q);
    return 0;
}
