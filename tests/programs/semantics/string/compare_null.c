// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

char *p;

int main(void) {
    return strcmp("x", p); // VIOLATION
}
