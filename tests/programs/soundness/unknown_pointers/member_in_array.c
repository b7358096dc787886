// EXPECT unknown
#include <assert.h>

struct node {
    int value;
    struct node *next;
};
extern struct node nodes[2];

int main(void)
{
    if (nodes[1].next)
        assert(nodes[1].next->value == 0);
    return 0;
}
