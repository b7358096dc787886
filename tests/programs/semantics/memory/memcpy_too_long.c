// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

char a[8], b[4];
volatile int n = 8;

int main(void) {
    memcpy(a, b, n); // VIOLATION
    return 0;
}
