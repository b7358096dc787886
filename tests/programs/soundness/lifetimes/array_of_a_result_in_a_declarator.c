// A temporary object ends with the full declarator (C11 6.2.4p8), before the initialiser.
// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[2]; };

static int *items;

static struct numbers make(void) { return (struct numbers){{2, 3}}; }

int main(void)
{
    int rows[2][2] = {{0}};
    int (*row)[(items = make().items)[0]] = &rows[items[1] - 3]; // VIOLATION
    return (*row)[0];
}
