// An external function that no execution calls is in nobody's way.
// EXPECT proved
#include <assert.h>

extern int outside(void);

int main(void)
{
    int x = 3;
    if (x == 4)
        assert(outside() == 0);
    assert(x == 3);
    return 0;
}
