// EXPECT violated
#include <assert.h>

static int count;

int next(void)
{
    return ++count;
}

extern int advance(void) __attribute__((alias("next")));

int main(void)
{
    int sum = count + advance();
    assert(sum == 1); // VIOLATION
    return 0;
}
