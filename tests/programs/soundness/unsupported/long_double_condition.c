// EXPECT unknown
#include <assert.h>

int main(void)
{
    long double x = 1;
    if (x)
        assert(0);
    return 0;
}
