// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

char a[4] = {'k', 'n', 'o', 't'};

int main(void) {
    return strlen(a); // VIOLATION
}
