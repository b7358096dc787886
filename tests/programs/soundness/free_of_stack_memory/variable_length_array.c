// PROPERTY valid-free
// EXPECT violated
// NONDET 2..3
#include <stdlib.h>
int nondet_int(void);
int main(void) {
    int n = nondet_int();
    if (n < 2 || n > 3)
        return 0;
    char a[n];
    a[0] = 1;
    free(a); // VIOLATION
    return 0;
}
