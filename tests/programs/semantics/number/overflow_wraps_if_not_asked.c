// EXPECT proved
#include <limits.h>
#include <assert.h>

int main(void) {
    volatile int x = INT_MAX;
    int mine = x;
    mine = mine + 1;
    assert(mine == INT_MIN);
    return 0;
}
