// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[2]; };

static int *items;

static struct numbers make(void) { return (struct numbers){{2, 3}}; }

static int last(int matrix[][(items = make().items)[0]])
{
    return matrix[0][*items - 1]; // VIOLATION
}

int main(void)
{
    int matrix[1][2] = {{1, 2}};
    return last(matrix);
}
