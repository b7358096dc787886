// Both functions always return: their order does not matter.
// PROPERTY no-div-by-zero
// EXPECT proved
static int sum(int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += i;
    return total;
}

static int half(int number)
{
    return number / 2;
}

int main(void)
{
    return sum(3) + half(4);
}
