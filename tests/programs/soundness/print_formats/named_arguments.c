// Arguments are taken by their numbers, some more than once.
// PROPERTY valid-deref
// EXPECT proved
#include <stdio.h>
int main(void) {
    const char *name = "anna";
    fprintf(stderr, "%2$s is %1$d, not %3$d: %2$s\n", 7, name, 8);
    printf("%1$d %1$d\n", 5);
    return 0;
}
