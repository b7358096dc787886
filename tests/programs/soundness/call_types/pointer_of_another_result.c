// The upper half of what the caller takes for the result was written by nobody.
// EXPECT unknown
#include <assert.h>

int minus_one(void) { return -1; }

long (*by_pointer)(void) = (long (*)(void))minus_one;

int main(void)
{
    assert(by_pointer() == -1);
    return 0;
}
