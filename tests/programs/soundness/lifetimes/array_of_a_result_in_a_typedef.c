// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[2]; };

static struct numbers make(void) { return (struct numbers){{2, 3}}; }

int main(void)
{
    int *items;
    typedef int row[(items = make().items)[0]];
    row numbers;
    numbers[0] = 1;
    return numbers[0] + *items; // VIOLATION
}
