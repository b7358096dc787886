// Arguments that are structures, made by functions.
// EXPECT violated
#include <assert.h>

static int g;

static int next(void)
{
    return g++;
}

struct s {
    int a;
};

static struct s make(void)
{
    struct s r = {g++};
    return r;
}

static int distance(struct s a, struct s b)
{
    return a.a - b.a;
}

int main(void)
{
    assert(distance(make(), make()) == -1); // VIOLATION
    return 0;
}
