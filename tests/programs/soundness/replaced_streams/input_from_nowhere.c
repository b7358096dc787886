// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
int main(void) {
    stdin = NULL;
    return getchar(); // VIOLATION
}
