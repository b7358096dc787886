// PROPERTY valid-deref
// EXPECT proved
struct numbers { int items[3]; };
struct outer { struct numbers inner; } one = {{{1, 2, 3}}}, other;

struct outer make(int first)
{
    struct outer outer = {{{first, 2, 3}}};
    return outer;
}

int sum(int *items) { return items[0] + items[1] + items[2]; }

int main(void)
{
    int total = make(4).inner.items[0] + sum(make(5).inner.items) + sum((one = other).inner.items);
    int *items;
    for (int round = 0; round < 2; round++)
        total += (items = make(round).inner.items, items[1]);
    if (sum(make(1).inner.items) == 6 && ({ sum(make(2).inner.items); }) == 7)
        total++;
    return total;
}
