// A function pointer copied in two halves.
// EXPECT violated
// TREES unknown byte-wise access to a pointer
#include <assert.h>
static void bad(void) { assert(0); } // VIOLATION
static void good(void) {}
int main(void) {
    void (*a)(void) = bad, (*b)(void) = good;
    int *s = (int *)&a, *d = (int *)&b;
    d[0] = s[0];
    d[1] = s[1];
    b();
    return 0;
}
