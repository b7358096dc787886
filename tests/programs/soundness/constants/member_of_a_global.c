// A constant member of a global that is not constant cannot be written.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no a write to such a member does not fail
struct s {
    const int a;
    int b;
} g = {1, 2};

int main(void)
{
    g.b = 3;
    *(int *)&g.a = 3; // VIOLATION
    return 0;
}
