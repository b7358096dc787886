// Another member of a union leaves nothing of what was said about the first; the same one does.
// EXPECT proved
#include <assert.h>

union both {
    int number;
    char byte;
    struct {
        short low, high;
    } parts;
};

static union both fixed = {.number = 0x01020304, .byte = 5};
static union both parts = {.parts.low = 1, .parts.high = 2};
static struct {
    int before;
    union both inner;
} nested = {1, .inner.number = 0x01020304, .inner.byte = 6};

int main(void)
{
    union both local = {.number = 0x01020304, .byte = 5};
    assert(fixed.number == 5 && local.number == 5 && nested.inner.number == 6 && nested.before == 1);
    assert(parts.parts.low == 1 && parts.parts.high == 2);
    return 0;
}
