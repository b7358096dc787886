// EXPECT unknown
#include <assert.h>

extern int table[];

int main(void)
{
    int x = table[3];
    assert(x == 0);
    return 0;
}
