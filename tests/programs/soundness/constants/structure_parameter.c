// A constant structure that is passed by value is a constant object.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no a write to such a parameter does not fail
struct s {
    int a, b;
};

static int f(const struct s x)
{
    *(int *)&x.b = 2; // VIOLATION
    return x.a;
}

int main(void)
{
    struct s k = {1, 2};
    return f(k);
}
