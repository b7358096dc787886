// What a helper calls through a pointer may change anything.
// EXPECT violated
#include <assert.h>

static int count;

static int next(void)
{
    return ++count;
}

static struct operations {
    int (*advance)(void);
} operations = {next};

static int advance(void)
{
    return operations.advance();
}

int main(void)
{
    int sum = count + advance();
    assert(sum == 1); // VIOLATION
    return 0;
}
