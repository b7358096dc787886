// Nor one of a local.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no a write to such a member does not fail
struct s {
    int b;
    const char name[4];
};

int main(void)
{
    struct s l = {1, "ab"};
    l.b = 2;
    ((char *)l.name)[1] = 'x'; // VIOLATION
    return l.name[1];
}
