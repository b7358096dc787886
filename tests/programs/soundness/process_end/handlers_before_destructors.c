// EXPECT proved
#include <assert.h>
#include <stdlib.h>

static int step;

static void first(void)
{
    assert(step == 1);
    step = 2;
}

static void second(void)
{
    assert(step == 0);
    step = 1;
}

__attribute__((destructor)) static void end(void)
{
    assert(step == 2);
}

int main(void)
{
    atexit(first);
    atexit(second);
    return 0;
}
