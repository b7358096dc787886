// A structure that is a parameter can be changed through its address.
// EXPECT violated
#include <assert.h>

struct pair {
    int first, second;
};

static int set(struct pair *pair)
{
    pair->first = 5;
    return 0;
}

static int sum(struct pair pair)
{
    return pair.first + set(&pair);
}

int main(void)
{
    struct pair pair = {0, 0};
    assert(sum(pair) == 0); // VIOLATION
    return 0;
}
