// Truth values are bytes, too.
// EXPECT proved
#include <assert.h>
#include <string.h>

_Bool flags[4] = {1, 1, 1, 1};

int main(void) {
    int all;
    memset((char *)flags + 1, 0, 2);
    assert(flags[0] && !flags[1] && !flags[2] && flags[3]);
    memcpy(&all, flags, 4);
    assert(all == 0x01000001);
    memset((char *)&all + 1, 1, 2);
    memcpy(flags, &all, 4);
    assert(flags[1] && flags[2]);
    return 0;
}
