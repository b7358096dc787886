// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[3]; };

struct numbers make(void)
{
    struct numbers numbers = {{1, 2, 3}};
    return numbers;
}

int main(void)
{
    int *items;
    if ((items = make().items)[0] == 1)
        return items[1]; // VIOLATION
    return 0;
}
