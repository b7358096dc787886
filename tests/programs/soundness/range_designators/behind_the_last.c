// What follows a range goes on behind its last element alone.
// EXPECT proved
#include <assert.h>

struct pair {
    int x, y;
};

int main(void)
{
    struct pair pairs[3] = { [0 ... 1].x = 1, 2, 3 };
    assert(pairs[0].x == 1 && pairs[0].y == 0);
    assert(pairs[1].x == 1 && pairs[1].y == 2 && pairs[2].x == 3);
    return 0;
}
