// Arguments of library functions are evaluated in any order.
// EXPECT violated
#include <assert.h>
#include <stdio.h>

static int g;

static int next(void)
{
    return g++;
}

int main(void)
{
    char text[20];
    snprintf(text, sizeof text, "%d%d", next(), next());
    assert(text[0] == '0'); // VIOLATION
    return 0;
}
