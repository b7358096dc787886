// PROPERTY valid-memcleanup
// EXPECT proved
#include <string.h>
#include <stdlib.h>

int main(void) {
    char *copy = strdup("knot");
    copy[0] = 'K';
    free(copy);
    return 0;
}
