// EXPECT violated
#include <assert.h>

int minus_one(void) { return -1; }

int main(void)
{
    long result = ((long (*)(void))minus_one)();
    assert((int)result == -1);
    assert(result == -1); // VIOLATION
    return 0;
}
