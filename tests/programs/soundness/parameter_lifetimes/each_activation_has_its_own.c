// Parameters of callers live on while others are called.
// PROPERTY valid-deref
// EXPECT proved
struct node { int value; struct node *outer; };

static int sum(struct node node, int depth)
{
    node.value++;
    if (depth == 0) {
        int total = 0;
        for (struct node *at = &node; at; at = at->outer)
            total += at->value;
        return total;
    }
    return sum((struct node){node.value, &node}, depth - 1);
}

int main(void)
{
    struct node start = {0, 0};
    return sum(start, 2) - 6 + start.value;
}
