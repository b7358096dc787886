// PROPERTY valid-free
// EXPECT violated
// NONDET 123456..123456
#include <stdlib.h>
int nondet_int(void);
int main(void) {
    if (nondet_int() != 123456)
        return 0;
    int *p = __builtin_alloca(4 * sizeof(int));
    p[3] = 1;
    free(p); // VIOLATION
    return 0;
}
