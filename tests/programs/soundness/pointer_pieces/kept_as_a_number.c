// Memory whose address lies in a number is not lost.
// PROPERTY valid-memtrack
// EXPECT proved
#include <stdlib.h>
unsigned long kept;
int main(void) {
    int *p = malloc(sizeof *p);
    kept = (unsigned long)p;
    return 0;
}
