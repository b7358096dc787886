// EXPECT violated
#include <assert.h>

static union {
    int number;
    char bytes[4];
} both;

static int set(void)
{
    both.bytes[0] = 1;
    return 0;
}

int main(void)
{
    int sum = both.number + set();
    assert(sum == 0); // VIOLATION
    return 0;
}
