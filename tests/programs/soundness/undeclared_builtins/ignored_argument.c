// An argument that says nothing is evaluated all the same.
// EXPECT proved
#include <assert.h>

static int calls, cell = 7;

static int more(void)
{
    return calls++;
}

int main(void)
{
    int *aligned = __builtin_assume_aligned(&cell, 4, more());
    assert(*aligned == 7 && calls == 1);
    return 0;
}
