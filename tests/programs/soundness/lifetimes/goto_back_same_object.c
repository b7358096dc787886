// The object lives as long as its block: a goto back over its declaration only initialises it again.
// EXPECT violated
#include <assert.h>

int main(void)
{
    int n = 0, *p = 0;
again:;
    int x = 3;
    if (n++ == 0) {
        p = &x;
        goto again;
    }
    *p = 9;
    assert(x == 3); // VIOLATION
    return 0;
}
