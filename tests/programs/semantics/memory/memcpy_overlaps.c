// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

char a[8];
volatile int n = 4;

int main(void) {
    memcpy(a + 1, a, n); // VIOLATION
    return 0;
}
