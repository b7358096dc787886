// PROPERTY valid-free
// EXPECT proved
// NONDET 0..1
#include <stdlib.h>
int nondet_int(void);
int main(void) {
    char small[4];
    int large = nondet_int();
    char *p = large ? malloc(64) : __builtin_alloca(8);
    p[0] = small[0] = 1;
    if (large)
        free(p);
    return 0;
}
