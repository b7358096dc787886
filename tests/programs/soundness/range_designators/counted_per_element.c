// EXPECT violated
#include <assert.h>

struct pair {
    int x, y;
};

int main(void)
{
    int calls = 0;
    struct pair pairs[3] = { [0 ... 2] = { calls++, 7 } };
    assert(calls == 3 || pairs[2].y != 7); // VIOLATION
    return 0;
}
