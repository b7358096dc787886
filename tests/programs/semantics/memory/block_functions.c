// EXPECT proved
#include <string.h>
#include <assert.h>

int main(void) {
    char a[8], b[8];
    memset(a, 'x', 8);
    a[7] = 0;
    assert(memcpy(b, a, 8) == b);
    assert(memcmp(a, b, 8) == 0);
    b[2] = 'a';
    assert(memcmp(a, b, 8) > 0 && memcmp(a, b, 2) == 0);
    memmove(b + 1, b, 4);
    assert(b[3] == 'a' && b[1] == 'x');
    assert(memchr(b, 'a', 8) == b + 3 && memchr(b, 'z', 8) == 0);
    return 0;
}
