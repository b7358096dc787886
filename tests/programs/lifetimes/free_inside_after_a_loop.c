// The pointer has moved.
// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>

int main(void) {
    int *p = malloc(3 * sizeof(int));
    for (int i = 0; i < 2; i++)
        *p++ = i;
    free(p); // VIOLATION
    return 0;
}
