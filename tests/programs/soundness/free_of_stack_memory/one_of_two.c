// PROPERTY valid-free
// EXPECT violated
// NONDET 0..1
#include <stdlib.h>
int nondet_int(void);
int main(void) {
    char *heap = malloc(8), *stack = __builtin_alloca(8);
    char *p = nondet_int() ? heap : stack;
    free(p); // VIOLATION
    return 0;
}
