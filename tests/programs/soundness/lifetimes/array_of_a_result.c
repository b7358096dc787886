// The array of a structure that a function returns ends with the expression (C11 6.2.4p8).
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
    int *items = make().items;
    return items[1]; // VIOLATION
}
