// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

int main(void) {
    return strtok(0, " ") != 0; // VIOLATION
}
