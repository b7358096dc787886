// EXPECT violated
#include <assert.h>

int same(int x) { return x; }

int main(void)
{
    assert(((int (*)(void))same)() == 0); // VIOLATION
    return 0;
}
