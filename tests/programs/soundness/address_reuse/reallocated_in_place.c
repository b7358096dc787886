// EXPECT violated
// ENGINES unknown comparison of a dangling pointer
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *q = realloc(p, 64);
    assert(p != q); // VIOLATION
    free(q);
    return 0;
}
