// EXPECT violated
#include <assert.h>

extern _Bool flag;

int main(void)
{
    assert(!flag); // VIOLATION
    return 0;
}
