// EXPECT violated
#include <assert.h>

int x = 1;
extern int y __attribute__((alias("x")));

int main(void)
{
    y = 2;
    assert(x == 1); // VIOLATION
    return 0;
}
