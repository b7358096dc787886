// A constant member is initialised by what a function returns, and cannot be written after that.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no a write to such a member does not fail
struct s {
    const int a;
    int b;
};

static struct s make(int x)
{
    struct s r = {x, 1};
    r.b = 5;
    return r;
}

int main(void)
{
    struct s k = make(3);
    k.b = 2;
    *(int *)&k.a = 2; // VIOLATION
    return k.a;
}
