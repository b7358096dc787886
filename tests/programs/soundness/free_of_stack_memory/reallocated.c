// realloc frees as well.
// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>
int main(void) {
    char *p = __builtin_alloca(8);
    p[0] = 1;
    char *q = realloc(p, 16); // VIOLATION
    free(q);
    return 0;
}
