// EXPECT violated
#include <assert.h>

struct list {
    int length, items[2];
};

static int set(int *items)
{
    items[0] = 1;
    return 0;
}

static int first(struct list list, int more)
{
    return list.items[0] + more;
}

int main(void)
{
    struct list list = {0, {0, 0}};
    assert(first(list, set(list.items)) == 0); // VIOLATION
    return 0;
}
