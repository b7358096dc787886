// A parameter is an object of the function that is called, and ends when that returns (C11 6.2.4p6, 6.9.1p9).
// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[3]; };

static int *second(struct numbers numbers)
{
    return &numbers.items[1];
}

int main(void)
{
    struct numbers numbers = {{1, 2, 3}};
    int *item = second(numbers);
    return *item; // VIOLATION
}
