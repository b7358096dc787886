// The object that strdup allocates is lost where strdup was called.
// PROPERTY valid-memcleanup
// EXPECT violated
#include <string.h>

int main(void) {
    char *copy = strdup("knot"); // VIOLATION
    return copy[0] - 'k';
}
