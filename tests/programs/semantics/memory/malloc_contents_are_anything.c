// Indeterminate contents are a choice like any input, made once.
// EXPECT violated
#include <stdlib.h>
#include <assert.h>

int main(void) {
    unsigned char *p = malloc(1);
    int first = *p, second = *p;
    assert(first == second);
    assert(first == 0); // VIOLATION
    free(p);
    return 0;
}
