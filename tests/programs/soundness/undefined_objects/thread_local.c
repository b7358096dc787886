// EXPECT unknown
#include <assert.h>

extern _Thread_local int value;

int main(void)
{
    assert(value == 0);
    return 0;
}
