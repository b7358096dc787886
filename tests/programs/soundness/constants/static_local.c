// PROPERTY valid-deref
// EXPECT violated
static int *get(void)
{
    static const int k[2] = { 1, 2 };
    return (int *)k;
}

int main(void)
{
    get()[1] = 3; // VIOLATION
    return 0;
}
