// What initialises a range of elements has its side effects once.
// EXPECT proved
#include <assert.h>

static int calls;

static int next(void)
{
    return ++calls;
}

int main(void)
{
    int numbers[4] = { [0 ... 2] = next(), 5 };
    assert(calls == 1 && numbers[0] == 1 && numbers[2] == 1 && numbers[3] == 5);
    return 0;
}
