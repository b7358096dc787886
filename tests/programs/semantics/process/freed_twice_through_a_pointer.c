// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>

void (*volatile release)(void *) = free;

int main(void) {
    void *p = malloc(4);
    release(p);
    release(p); // VIOLATION
    return 0;
}
