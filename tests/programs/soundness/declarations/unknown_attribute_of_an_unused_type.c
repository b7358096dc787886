// A type that nobody uses matters to nobody.
// EXPECT proved
#include <assert.h>

typedef int unused __attribute__((never_heard_of));

int main(void)
{
    int x = 3;
    assert(x == 3);
    return 0;
}
