// EXPECT proved
#include <assert.h>

extern _Bool flag;
extern struct {
    int number;
    _Bool flags[2];
} object;

int main(void)
{
    assert(flag == 0 || flag == 1);
    assert(object.flags[1] == 0 || object.flags[1] == 1);
    return 0;
}
