// Memory of alloca ends with the function; it is not the heap's to free.
// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>
int main(void) {
    char *p = __builtin_alloca(8);
    free(p); // VIOLATION
    return 0;
}
