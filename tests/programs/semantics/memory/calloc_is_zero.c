// EXPECT proved
#include <stdlib.h>
#include <assert.h>

int main(void) {
    int *p = calloc(2, sizeof *p);
    assert(p[0] == 0 && p[1] == 0);
    free(p);
    return 0;
}
