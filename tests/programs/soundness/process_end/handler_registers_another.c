// What a handler registers is called next, before those that were registered earlier.
// EXPECT proved
#include <assert.h>
#include <stdlib.h>

static int step;

static void last(void) { assert(step == 2); }
static void second(void)
{
    assert(step == 1);
    step = 2;
}
static void first(void)
{
    step = 1;
    atexit(second);
}

int main(void)
{
    atexit(last);
    atexit(first);
    return 0;
}
