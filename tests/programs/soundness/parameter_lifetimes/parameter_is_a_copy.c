// EXPECT proved
#include <assert.h>

struct pair { int one, other; } shared = {1, 2};

static struct pair *own;

static int change(struct pair pair, const struct pair constant)
{
    own = &pair;
    own->one = 7;
    assert(own != &shared && &constant != own);
    return pair.one + constant.one;
}

static struct pair next(void)
{
    shared.one++;
    return shared;
}

int main(void)
{
    struct pair local = shared;
    assert(change(local, local) == 8 && local.one == 1);
    assert(change(shared, shared) == 8 && shared.one == 1);
    assert(change(next(), local) == 8 && shared.one == 2);
    return 0;
}
