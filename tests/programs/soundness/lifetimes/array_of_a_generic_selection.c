// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[2]; };
struct outer { struct numbers inner; };

static struct outer make(void) { return (struct outer){{{2, 3}}}; }

int main(void)
{
    int *items = _Generic(0, int: make().inner, default: 0).items;
    return *items; // VIOLATION
}
