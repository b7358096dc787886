// The leak check looks at pointers in an array that is accessed at any index.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>

unsigned nondet_uint(void);

int *kept[100];

int main(void) {
    unsigned i = nondet_uint(), j = nondet_uint();
    if (i >= 100 || j >= 100)
        return 0;
    kept[i] = malloc(4); // VIOLATION
    kept[j] = 0;
    free(kept[i]);
    return 0;
}
