// Only the first field was allocated.
// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>

struct pair { int first, second; };
int main(void) {
    struct pair *p = malloc(sizeof(int));
    p->first = 1;
    p->second = 2; // VIOLATION
    free(p);
    return 0;
}
