// EXPECT unknown
#include <assert.h>

extern int *pointer;
int x;

int main(void)
{
    assert(pointer != &x);
    return 0;
}
