// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[2]; };

static struct numbers make(void) { return (struct numbers){{0, 3}}; }

int main(void)
{
    int *items;
    static void *const labels[] = {&&end};
    goto *labels[(items = make().items)[0]];
end:
    return *items; // VIOLATION
}
