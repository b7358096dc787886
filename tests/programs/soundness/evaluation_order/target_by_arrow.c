// Which object is assigned to may be found out before the value, or after it.
// EXPECT violated
#include <assert.h>

static struct s {
    int v;
} x, y, *p = &x;

static int change(void)
{
    p = &y;
    return 5;
}

int main(void)
{
    p->v = change();
    assert(x.v == 5); // VIOLATION
    return 0;
}
