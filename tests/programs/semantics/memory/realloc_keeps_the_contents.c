// EXPECT proved
#include <stdlib.h>
#include <assert.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 1;
    p[1] = 2;
    p = realloc(p, 4 * sizeof *p);
    p[3] = 4;
    assert(p[0] == 1 && p[1] == 2 && p[3] == 4);
    p = realloc(p, sizeof *p);
    assert(p[0] == 1);
    free(p);
    return 0;
}
