// EXPECT proved
#include <assert.h>

int main(void)
{
    char *p = 0;
again:;
    char a[2] = {1, 2};
    if (!p) {
        p = a;
        a[0] = 7;
        goto again;
    }
    assert(p[0] == 1 && p == a);
    return 0;
}
