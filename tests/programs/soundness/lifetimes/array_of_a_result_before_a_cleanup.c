// The expression of a return statement is complete before the cleanup function is called.
// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[2]; };

static int *items;

static struct numbers make(void) { return (struct numbers){{2, 3}}; }

static void forget(int *number) { *number = *items; } // VIOLATION

static int first(void)
{
    int number __attribute__((cleanup(forget))) = 1;
    return number + (items = make().items)[0];
}

int main(void) { return first(); }
