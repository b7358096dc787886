// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>

int x;
int *volatile p = &x;

int main(void) {
    free(p); // VIOLATION
    return 0;
}
