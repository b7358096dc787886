// EXPECT unknown
#include <assert.h>

struct __attribute__((scalar_storage_order("big-endian"))) big {
    int x;
};

int main(void)
{
    union {
        struct big big;
        unsigned char bytes[4];
    } u;
    u.big.x = 1;
    assert(u.bytes[0] == 1);
    return 0;
}
