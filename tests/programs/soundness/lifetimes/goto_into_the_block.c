// A jump past the declaration enters the block and begins its object.
// EXPECT proved
#include <assert.h>

int main(void)
{
    int *p = 0;
    goto in;
    {
    back:;
        int x = 7;
        if (0) {
        in:
            x = 1;
            p = &x;
            goto back;
        }
        assert(*p == 7 && p == &x);
    }
    return 0;
}
