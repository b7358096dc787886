// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

char a[4];
volatile int n = 5;

int main(void) {
    memset(a, 0, n); // VIOLATION
    return 0;
}
