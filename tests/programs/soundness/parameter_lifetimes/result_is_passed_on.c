// What a function returns is passed without a name of its own; the parameter still ends with the call.
// PROPERTY valid-deref
// EXPECT violated
struct pair { int one, other; };

static int *kept;

static struct pair make(int one) { return (struct pair){one, 2}; }

static struct pair keep(struct pair pair)
{
    kept = &pair.other;
    return pair;
}

int main(void)
{
    struct pair pair = keep(make(1));
    return pair.one + *kept; // VIOLATION
}
