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
    int *items = 0, round = 0, sum = 0;
    do {
        if (items)
            sum += items[1]; // VIOLATION
    } while ((items = make().items)[0] == 1 && ++round < 2);
    return sum;
}
