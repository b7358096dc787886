// EXPECT proved
#include <assert.h>

int main(void)
{
    int n = 0, *p = 0;
    void *target = &&again;
again:;
    int x = 3;
    if (n++ == 0) {
        p = &x;
        goto *target;
    }
    *p = 9;
    assert(x == 9);
    return 0;
}
