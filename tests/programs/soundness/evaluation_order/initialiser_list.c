// The expressions of an initialiser are evaluated in any order.
// EXPECT violated
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

struct s {
    int a;
    struct {
        int x, y;
    } b;
};

int main(void)
{
    struct s s = {.a = next(), .b = {next(), 2}};
    assert(s.a == 0); // VIOLATION
    return 0;
}
